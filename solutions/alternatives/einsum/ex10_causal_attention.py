"""Causal attention where the projections, the scores and the contexts are einsums, so nothing is
transposed."""

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        position = torch.arange(context_length)
        self.register_buffer("allowed", position[:, None] >= position[None, :])

    def project(self, layer, x):
        y = torch.einsum("bti,oi->bto", x, layer.weight)
        return y if layer.bias is None else y + layer.bias

    def forward(self, x):
        T = x.shape[1]
        q = self.project(self.W_query, x)
        k = self.project(self.W_key, x)
        v = self.project(self.W_value, x)
        scores = torch.einsum("bid,bjd->bij", q, k) / q.shape[-1] ** 0.5
        scores = torch.where(self.allowed[:T, :T], scores, -torch.inf)
        return torch.einsum("bij,bjd->bid", self.dropout(scores.softmax(dim=-1)), v)
