# mistakes: input-mutated
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Each head has its rows of the weights, so x only needs an axis for the heads."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1).bool())

    def heads_of(self, layer, x):
        per_head = layer.weight.view(self.num_heads, self.head_dim, -1)
        out = x @ per_head.transpose(1, 2)
        if layer.bias is not None:
            out = out + layer.bias.view(self.num_heads, 1, self.head_dim)
        return out

    def forward(self, x):
        T = x.shape[1]
        x.unsqueeze_(1)  # <- input-mutated
        q, k, v = (self.heads_of(layer, x) for layer in (self.W_query, self.W_key, self.W_value))
        scores = q @ k.transpose(2, 3) / self.head_dim ** 0.5
        scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)
        weights = self.dropout(scores.softmax(dim=-1))
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
