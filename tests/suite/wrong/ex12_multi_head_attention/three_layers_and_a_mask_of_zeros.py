# mistakes: mask-zero-fill, out-proj-missing
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        batch, tokens, _ = x.shape

        def heads(t):
            return t.reshape(batch, tokens, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

        queries, keys, values = heads(self.W_query(x)), heads(self.W_key(x)), heads(self.W_value(x))
        scores = queries @ keys.mT / math.sqrt(self.head_dim)
        scores = scores.masked_fill(self.mask[:tokens, :tokens] == 0, 0.0)  # <- mask-zero-fill
        weights = self.dropout(scores.softmax(-1))
        return (weights @ values).transpose(1, 2).flatten(2)  # <- out-proj-missing
