# mistakes: heads-not-transposed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.scale = (d_out // num_heads) ** -0.5
        mask = torch.full((context_length, context_length), float("-inf"))
        self.register_buffer("mask", torch.triu(mask, 1))

    def heads(self, t):
        b, n, d = t.shape
        t = t.view(b, n, self.num_heads, d // self.num_heads)  # <- heads-not-transposed
        return t

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = self.heads(q)
        k = self.heads(k)
        v = self.heads(v)
        logits = q @ k.mT * self.scale
        logits = logits + self.mask[:n, :n]
        weights = torch.softmax(logits, -1)
        weights = self.drop(weights)
        z = weights @ v
        z = z.transpose(1, 2)
        z = z.flatten(2)
        return self.proj(z)
