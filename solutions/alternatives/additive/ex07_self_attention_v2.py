"""Short names and (context, weights) again; copy_weights assigns to .data of our own v1's short names."""

import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        weights = torch.softmax(Q @ K.transpose(0, 1) / K.size(-1) ** 0.5, dim=-1)
        return weights @ V, weights


def copy_weights(source_v2, target_v1):
    target_v1.W_q.data = source_v2.W_q.weight.data.T.clone()
    target_v1.W_k.data = source_v2.W_k.weight.data.T.clone()
    target_v1.W_v.data = source_v2.W_v.weight.data.T.clone()
