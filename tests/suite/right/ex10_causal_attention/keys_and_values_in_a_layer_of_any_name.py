# style: a layer for the queries and one of another name for keys and values together
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.context = nn.Linear(d_in, 2 * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, (v, k) = self.to_q(x), self.context(x).chunk(2, dim=-1)
        scores = q @ k.mT / k.shape[-1] ** 0.5
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return self.dropout(scores.masked_fill(future, -torch.inf).softmax(dim=-1)) @ v
