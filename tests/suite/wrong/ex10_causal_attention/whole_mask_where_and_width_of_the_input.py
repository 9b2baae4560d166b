# mistakes: scale-wrong-width, mask-not-sliced
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    """einsum gives a single token as many context vectors as the mask has rows."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = torch.einsum("bid,bjd->bij", queries, keys)
        scores = scores / x.shape[-1] ** 0.5  # <- scale-wrong-width
        scores = torch.where(self.mask, float("-inf"), scores)  # <- mask-not-sliced
        weights = self.dropout(torch.softmax(scores, dim=-1))
        return torch.einsum("bij,bjd->bid", weights, values)
