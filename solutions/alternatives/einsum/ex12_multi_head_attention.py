"""The head axis stays where view leaves it, (B, T, H, d): einsum finds it by name, so nothing has to be
transposed."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out ({d_out}) must be divisible by num_heads ({num_heads})")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def split(self, layer, x):
        weight = layer.weight.view(self.num_heads, self.head_dim, -1)
        y = torch.einsum("bti,hdi->bthd", x, weight)
        return y if layer.bias is None else y + layer.bias.view(self.num_heads, self.head_dim)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = (self.split(layer, x) for layer in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bihd,bjhd->bhij", q, k).masked_fill(self.mask[:T, :T], -torch.inf)
        weights = self.dropout(torch.softmax(scores / self.head_dim**0.5, dim=-1))
        context = torch.einsum("bhij,bjhd->bihd", weights, v)
        # the merge and the output projection in one: out_proj's weight is split by heads as well
        out_weight = self.out_proj.weight.view(-1, self.num_heads, self.head_dim)
        return torch.einsum("bthd,ohd->bto", context, out_weight) + self.out_proj.bias
