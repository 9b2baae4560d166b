import torch
from torch import nn
class WidthError(ValueError):
    pass
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise WidthError("d_out must be divisible by num_heads")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
    def forward(self, x):
        q, k, v = (l(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for l in (self.W_query, self.W_key, self.W_value))
        z = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p * self.training)
        return self.out_proj(z.transpose(1, 2).flatten(2))
