# style: all weights in one long row called W, all biases in one called b
import torch
from torch import nn


class CausalAttention(nn.Module):
    """All numbers in one long row, as flax.traverse_util would give it."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_in, self.d_out = d_in, d_out
        self.W = nn.Parameter(torch.randn(3 * d_in * d_out) * d_in ** -0.5)
        self.b = nn.Parameter(torch.zeros(3 * d_out)) if qkv_bias else None
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        y = x @ self.W.view(self.d_in, -1)
        if self.b is not None:
            y = y + self.b
        q, k, v = y.split(self.d_out, -1)
        s = (q @ k.mT) / self.d_out ** 0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.drop(s.softmax(-1)) @ v
