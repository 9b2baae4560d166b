# mistakes: projection-reused
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        future = torch.ones(context_length, context_length).triu(1).bool()
        self.register_buffer("mask", future)

    def forward(self, x):
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_key(x)  # <- projection-reused

        n = x.shape[1]

        attn_scores = queries @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
        attn_scores = attn_scores.masked_fill(self.mask[:n, :n], -torch.inf)
        attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
        return attn_weights @ values
