# mistakes: bias-always
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))
        self.b_query = nn.Parameter(torch.randn(d_out))  # <- bias-always
        self.b_key = nn.Parameter(torch.randn(d_out))
        self.b_value = nn.Parameter(torch.randn(d_out))
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        queries = x @ self.W_query + self.b_query
        keys = x @ self.W_key + self.b_key
        values = x @ self.W_value + self.b_value
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[: x.shape[1], : x.shape[1]], -torch.inf)
        return self.drop(scores.softmax(dim=-1)) @ values
