# mistakes: query-key-swapped, dropout-missing, mask-not-sliced
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        keys = self.W_query(x)  # <- query-key-swapped
        queries = self.W_key(x)
        values = self.W_value(x)

        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores = attn_scores.masked_fill(self.mask, -torch.inf)  # <- mask-not-sliced
        attn_weights = torch.softmax(attn_scores / self.d_out**0.5, dim=-1)
        context_vec = attn_weights @ values  # <- dropout-missing
        return context_vec
