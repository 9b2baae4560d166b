# style: dense layers of their own, by role in an nn.ModuleDict
import torch
from torch import nn


class Affine(nn.Module):
    def __init__(self, n, m, bias):
        super().__init__()
        self.kernel = nn.Parameter(torch.randn(n, m))
        self.bias = nn.Parameter(torch.zeros(m)) if bias else None

    def forward(self, t):
        t = t @ self.kernel
        return t if self.bias is None else t + self.bias


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.layers = nn.ModuleDict({n: Affine(d_in, d_out, qkv_bias) for n in ("query", "key", "value")})
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        q, k, v = (self.layers[n](x) for n in ("query", "key", "value"))
        n = x.shape[-2]
        s = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
        s = s.masked_fill(self.mask[:n, :n], -torch.inf)
        return self.drop(s.softmax(-1)) @ v
