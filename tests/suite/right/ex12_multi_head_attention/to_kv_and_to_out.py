# style: to_q, one to_kv for keys and values, and a Sequential for to_out, as in many public repositories
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.heads = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_kv = nn.Linear(d_in, 2 * d_out, bias=qkv_bias)
        self.to_out = nn.Sequential(nn.Linear(d_out, d_out), nn.Identity())
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = (t.reshape(b, n, self.heads, -1).transpose(1, 2) for t in (self.to_q(x), *self.to_kv(x).chunk(2, -1)))
        scores = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        future = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        weights = self.dropout(scores.masked_fill(future, -torch.inf).softmax(-1))
        return self.to_out((weights @ v).transpose(1, 2).flatten(2))
