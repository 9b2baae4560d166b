# mistakes: none
import math

import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)) == 0)
        self.cut = None

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        if self.cut is None:
            self.cut = self.mask[:t, :t]  # <- here
        attn = torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(k.size(-1))
        attn = attn.masked_fill(self.cut, float("-inf"))
        return self.dropout(attn.softmax(dim=-1)).bmm(v)
