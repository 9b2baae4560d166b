# style: heads padded to a multiple of eight for torch's attention, with a scale of their own width
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
    def forward(self, x):

        B, T, _ = x.shape
        pad = -self.head_dim % 8
        q, k, v = (nn.functional.pad(f(x).view(B, T, self.num_heads, -1).transpose(1, 2), (0, pad)) for f in (self.W_query, self.W_key, self.W_value))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=self.head_dim ** -.5, dropout_p=self.dropout.p if self.training else 0.0)
        return self.out_proj(y[..., :self.head_dim].transpose(1, 2).flatten(2))
