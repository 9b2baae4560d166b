# style: torch's CausalBias, nn.Unflatten and nn.Flatten, a check of torch's that raises the ValueError
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        torch._check_value(d_out % num_heads == 0, lambda: f"{num_heads} does not divide {d_out}")
        self.split = nn.Unflatten(-1, (num_heads, d_out // num_heads))
        self.merge = nn.Flatten(-2)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (self.split(f(x)).swapdims(-3, -2) for f in (self.W_query, self.W_key, self.W_value))
        from torch.nn.attention.bias import causal_lower_right
        T = x.shape[-2]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=causal_lower_right(T, T), dropout_p=self.dropout.p if self.training else 0.0)
        return self.out_proj(self.merge(y.swapdims(-3, -2)))
