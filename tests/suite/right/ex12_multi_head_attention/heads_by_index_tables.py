# style: heads taken, and put back, by a table of indices
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
        idx = torch.arange(self.d_out, device=x.device).view(self.num_heads, self.head_dim)
        q, k, v = (f(x)[..., idx].permute(0, 2, 1, 3) for f in (self.W_query, self.W_key, self.W_value))
        s = (q @ k.mT / self.head_dim ** .5).masked_fill(self.mask[:T, :T].bool(), -torch.inf)
        y = self.dropout(s.softmax(-1)) @ v
        out = x.new_zeros(B, T, self.d_out)
        out[..., idx] = y.permute(0, 2, 1, 3)
        return self.out_proj(out)
