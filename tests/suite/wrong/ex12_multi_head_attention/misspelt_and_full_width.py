# mistakes: api-misspelt, scale-wrong-width, out-proj-missing
"""Heads on an axis of their own. The call of softmax raises, so that nobody sees the two mistakes around it."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)

    def forward(self, x):
        tokens = x.shape[1]
        queries = self.split(self.W_query(x))
        keys = self.split(self.W_key(x))
        values = self.split(self.W_value(x))
        scores = queries @ keys.mT / (self.num_heads * self.head_dim) ** 0.5  # <- scale-wrong-width
        scores = scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf)
        weights = torch.sofmax(scores, dim=-1)  # <- api-misspelt
        weights = self.dropout(weights)
        context = (weights @ values).transpose(1, 2).flatten(2)
        return context  # <- out-proj-missing
