"""Split heads by einsum on the (B, T, H, d) layout; copy_heads writes each head's rows into their slice."""

import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (
            layer(x).view(B, T, self.num_heads, self.head_dim) for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = torch.einsum("bihd,bjhd->bhij", q, k).masked_fill(self.mask[:T, :T], -torch.inf)
        weights = self.dropout(torch.softmax(scores / self.head_dim**0.5, dim=-1))
        return torch.einsum("bhij,bjhd->bihd", weights, v).reshape(B, T, -1)


@torch.no_grad()
def copy_heads(wrapper, split):
    for name in ("W_query", "W_key", "W_value"):
        wide = getattr(split, name)
        for h, head in enumerate(wrapper.heads):
            narrow = getattr(head, name)
            rows = slice(h * narrow.out_features, (h + 1) * narrow.out_features)
            wide.weight[rows] = narrow.weight
            if narrow.bias is not None:
                wide.bias[rows] = narrow.bias
    if hasattr(split, "out_proj"):
        nn.init.eye_(split.out_proj.weight)
        nn.init.zeros_(split.out_proj.bias)
