# mistakes: projection-reused, mask-zero-fill, scale-inverted
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.head_size = d_out
        total = num_heads * d_out
        self.W_query = nn.Linear(d_in, total, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, total, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, total, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)))

    def to_heads(self, t):
        return t.view(t.size(0), t.size(1), self.num_heads, self.head_size).transpose(1, 2)

    def forward(self, x):
        B, T, C = x.shape
        q = self.to_heads(self.W_query(x))
        k = self.to_heads(self.W_value(x))  # <- projection-reused
        v = self.to_heads(self.W_value(x))
        wei = q @ k.transpose(-2, -1) * math.sqrt(self.head_size)  # <- scale-inverted
        wei = wei.masked_fill(self.tril[:T, :T] == 0, 0)  # <- mask-zero-fill
        wei = self.dropout(F.softmax(wei, dim=-1))
        return (wei @ v).transpose(1, 2).contiguous().view(B, T, -1)


def copy_heads(wrapper, split):
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            big = getattr(split, role)
            big.weight.copy_(torch.cat([getattr(h, role).weight for h in wrapper.heads]))
            if big.bias is not None:
                big.bias.copy_(torch.cat([getattr(h, role).bias for h in wrapper.heads]))
        if hasattr(split, "out_proj"):
            nn.init.eye_(split.out_proj.weight)
            nn.init.zeros_(split.out_proj.bias)
