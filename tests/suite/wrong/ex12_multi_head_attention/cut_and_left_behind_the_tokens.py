# mistakes: heads-not-transposed
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        future = torch.ones(context_length, context_length, dtype=torch.bool).triu(1)
        self.register_buffer("mask", future)

    def cut(self, t):
        b, n, _ = t.shape
        return t.view(b, n, self.num_heads, self.head_dim)  # <- heads-not-transposed

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (self.cut(layer(x)) for layer in (self.W_query, self.W_key, self.W_value))
        scores = q @ k.mT / math.sqrt(self.head_dim)
        scores = scores.masked_fill(self.mask[:n, :n], float("-inf"))
        weights = self.dropout(F.softmax(scores, dim=-1))
        joined = (weights @ v).transpose(1, 2).reshape(b, n, -1)
        return self.out_proj(joined)
