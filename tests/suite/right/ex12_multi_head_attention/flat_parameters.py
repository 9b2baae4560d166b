# style: weights that are one long row each until they are used
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.shape, self.heads = (d_in, d_out), num_heads
        self.W_query, self.W_key, self.W_value = (
            nn.Parameter(torch.empty(d_in * d_out).uniform_(-0.3, 0.3)) for _ in range(3)
        )
        self.b_query, self.b_key, self.b_value = (
            nn.Parameter(torch.zeros(d_out)) if qkv_bias else None for _ in range(3)
        )
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def project(self, x, flat, bias):
        wide = x @ flat.view(self.shape)
        wide = wide if bias is None else wide + bias
        return wide.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x):
        q = self.project(x, self.W_query, self.b_query)
        k = self.project(x, self.W_key, self.b_key)
        v = self.project(x, self.W_value, self.b_value)
        scores = q @ k.mT * q.shape[-1] ** -0.5
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        weights = self.drop(scores.masked_fill(later, -torch.inf).softmax(-1))
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
