# style: keys along the rows, softmax over dim 1 of that, and the blend to match
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length), diagonal=-1).bool())

    def forward(self, x):
        t = x.shape[1]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = k @ q.transpose(1, 2) / k.shape[-1] ** 0.5  # [key, query]
        scores = scores.masked_fill(self.mask[:t, :t], -torch.inf)
        weights = self.dropout(scores.softmax(dim=1))
        return weights.transpose(1, 2) @ v
