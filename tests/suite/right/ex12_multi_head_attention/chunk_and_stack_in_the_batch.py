# style: chunks side by side in the batch, baddbmm with the mask
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.full((context_length,) * 2, -torch.inf), 1), persistent=False)

    def forward(self, x):
        T = x.shape[1]
        cut = lambda t: torch.cat(t.chunk(self.num_heads, dim=-1), dim=0)
        q, k, v = cut(self.W_query(x)), cut(self.W_key(x)), cut(self.W_value(x))
        s = torch.baddbmm(self.mask[:T, :T], q, k.mT, alpha=q.shape[-1] ** -0.5)
        o = torch.bmm(self.dropout(s.softmax(-1)), v)
        return self.out_proj(torch.cat(o.chunk(self.num_heads, dim=0), dim=-1))
