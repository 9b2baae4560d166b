# mistakes: none
import math

import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(1, context_length, context_length).triu(1).bool(), persistent=False)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        if self.mask.shape[1] != t or len(self.mask) == 1:  # <- here
            self.mask = torch.ones(b, t, t, device=x.device).triu(1).bool()
        attn = torch.baddbmm(torch.zeros_like(self.mask, dtype=q.dtype), q, k.mT) / math.sqrt(k.size(-1))
        attn = attn.masked_fill(self.mask, float("-inf"))
        return self.dropout(attn.softmax(dim=-1)).bmm(v)
