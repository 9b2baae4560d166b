# style: weights and biases by letters, in a dictionary each
import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.h = num_heads
        self.w = nn.ParameterDict({c: nn.Parameter(torch.randn(d_out, d_in)) for c in "qkv"})
        self.b = nn.ParameterDict({c: nn.Parameter(torch.randn(d_out)) for c in "qkv"} if qkv_bias else {})
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        q, k, v = (F.linear(x, self.w[c], self.b[c] if len(self.b) else None) for c in "qkv")
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in (q, k, v))
        n = x.shape[-2]
        s = q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5
        s = s.masked_fill(self.mask[:n, :n], -torch.inf)
        return self.out_proj((self.drop(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
