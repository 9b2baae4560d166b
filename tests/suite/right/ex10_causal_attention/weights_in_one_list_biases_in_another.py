# style: three weights in one nn.ParameterList, their biases in another
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W = nn.ParameterList([nn.Parameter(torch.randn(d_in, d_out)) for _ in range(3)])
        self.b = nn.ParameterList([nn.Parameter(torch.zeros(d_out)) for _ in range(3)] if qkv_bias else [])
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        q, k, v = (x @ w for w in self.W)
        if len(self.b):
            q, k, v = q + self.b[0], k + self.b[1], v + self.b[2]
        n = x.shape[-2]
        s = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
        s = s.masked_fill(self.mask[:n, :n], -torch.inf)
        return self.drop(s.softmax(-1)) @ v
