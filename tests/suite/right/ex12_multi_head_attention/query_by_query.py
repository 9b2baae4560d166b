# style: a loop over the queries that looks back at a growing slice; all heads at once; no mask
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out // num_heads * num_heads == d_out
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        split = (B, T, self.num_heads, -1)
        q, k, v = self.W_query(x).view(split), self.W_key(x).view(split), self.W_value(x).view(split)
        steps = []
        for t in range(T):
            past = slice(0, t + 1)
            scores = (q[:, t : t + 1] * k[:, past]).sum(dim=-1) / q.shape[-1] ** 0.5      # (B, t + 1, H)
            shares = self.dropout(torch.softmax(scores, dim=1))
            steps.append((shares.unsqueeze(-1) * v[:, past]).sum(dim=1).flatten(1))      # (B, D)
        return self.out_proj(torch.stack(steps, dim=1))
