# mistakes: none
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must divide by num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        b, t, width = x.shape[0], x.shape[1], self.head_dim
        out = []
        for n in range(b):
            for h in range(self.num_heads):  # <- here
                s = torch.stack([torch.stack([sum(q[n, i, h * width + d] * k[n, j, h * width + d] for d in range(width)) for j in range(t)]) for i in range(t)])
                s = s / width**0.5
                w = self.dropout(s.masked_fill(torch.ones_like(s).triu(1).bool(), -torch.inf).softmax(-1))
                out.append(torch.stack([torch.stack([sum(w[i, j] * v[n, j, h * width + d] for j in range(t)) for d in range(width)]) for i in range(t)]))
        out = torch.stack(out).unflatten(0, (b, self.num_heads)).transpose(1, 2).flatten(2)
        return self.out_proj(out)
