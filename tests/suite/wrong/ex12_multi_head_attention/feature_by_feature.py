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
        b, t, _ = x.shape
        rows = []
        for h in range(self.num_heads):  # <- here
            scores = 0
            for j in range(h * self.head_dim, (h + 1) * self.head_dim):
                scores = scores + q[:, :, None, j] * k[:, None, :, j]
            scores = scores / self.head_dim**0.5
            hidden = torch.ones(t, t, device=x.device).triu(1).bool()
            weights = self.dropout(scores.masked_fill(hidden, -torch.inf).softmax(-1))
            for j in range(h * self.head_dim, (h + 1) * self.head_dim):
                rows.append((weights * v[:, None, :, j]).sum(-1))
        return self.out_proj(torch.stack(rows, -1))
