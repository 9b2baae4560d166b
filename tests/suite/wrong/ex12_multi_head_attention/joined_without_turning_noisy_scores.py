# mistakes: merge-not-transposed, dropout-on-scores
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def heads(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = self.heads(self.W_query(x)), self.heads(self.W_key(x)), self.heads(self.W_value(x))
        logits = q @ k.mT / math.sqrt(q.size(-1))
        logits = self.drop(logits)  # <- dropout-on-scores
        future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        weights = logits.masked_fill(future, -math.inf).softmax(-1)
        merged = (weights @ v).reshape(B, T, -1)  # <- merge-not-transposed
        return self.out_proj(merged)
