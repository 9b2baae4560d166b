"""A fused qkv layer in head-major order: head 0's query, key and value rows, then head 1's, and so on. The
output is viewed as (B, T, H, 3, head_dim) and the axis of three is taken apart."""

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
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        mask = torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), diagonal=1)
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x):
        B, T, _ = x.shape
        qkv = self.qkv(x).view(B, T, self.num_heads, 3, self.head_dim)
        queries, keys, values = qkv.permute(3, 0, 2, 1, 4)  # each (B, H, T, head_dim)
        scores = queries @ keys.transpose(-2, -1) / self.head_dim**0.5
        scores = scores.masked_fill(self.mask[:T, :T], float("-inf"))
        weights = self.dropout(scores.softmax(dim=-1))
        context = (weights @ values).transpose(1, 2).contiguous().view(B, T, self.d_out)
        return self.out_proj(context)
