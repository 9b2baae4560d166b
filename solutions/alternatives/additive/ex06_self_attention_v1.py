"""Short names (W_q, W_k, W_v), and forward gives the attention weights back beside the context vectors."""

import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_q = nn.Parameter(torch.rand(d_in, d_out))
        self.W_k = nn.Parameter(torch.rand(d_in, d_out))
        self.W_v = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
        weights = torch.softmax(Q @ K.transpose(0, 1) / K.size(-1) ** 0.5, dim=-1)
        return weights @ V, weights
