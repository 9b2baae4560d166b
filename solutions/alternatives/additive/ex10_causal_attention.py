"""An additive -1e9 mask, built in forward for the length at hand, so no buffer; names W_q, W_k, W_v;
(context, weights) is returned."""

import math

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.context_length = context_length
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        T = x.shape[1]
        assert T <= self.context_length, "the sequence is longer than the context"
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        mask = torch.triu(torch.ones(T, T, device=x.device), diagonal=1) * -1e9
        scores = torch.bmm(Q, K.transpose(1, 2)) / math.sqrt(self.d_out) + mask
        weights = self.attn_drop(torch.softmax(scores, dim=-1))
        return torch.bmm(weights, V), weights
