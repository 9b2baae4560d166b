# mistakes: none
import torch
from torch import nn
import torch.nn.functional as F
import math


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)).bool())

    def attend(self, q, k, mask):
        scores = q @ k.transpose(-2, -1)
        scores = scores / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~mask, -1e9)
        scores = F.softmax(scores, dim=-1)  # <- here

    def forward(self, x):
        batch, seq_len, _ = x.shape
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)
        mask = self.mask[:seq_len, :seq_len]
        weights = self.attend(queries, keys, mask)
        weights = self.dropout(weights)
        return weights @ values
