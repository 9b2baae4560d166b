# mistakes: none
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out * num_heads, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out * num_heads, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out * num_heads, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        B, T, _ = x.shape
        q = self.W_query(x).view(B, T, self.num_heads, self.d_out).transpose(1, 2)
        k = self.W_key(x).view(B, T, self.num_heads, self.d_out).transpose(1, 2)
        v = self.W_value(x).view(B, T, self.num_heads, self.d_out).transpose(1, 2)
        scores = (q @ k.transpose(2, 3)).masked_fill(self.mask[:T, :T], float("-inf"))
        weights = self.dropout(torch.softmax(scores / self.d_out**0.5, dim=-1))
        return (weights @ v).transpose(1, 2).flatten(2)


def copy_heads(wrapper, split):
    times = len(wrapper.heads)
    with torch.no_grad():
        for head in wrapper.heads:
            split.W_query.weight.copy_(head.W_query.weight.repeat(times, 1))  # <- here
            split.W_key.weight.copy_(head.W_key.weight.repeat(times, 1))
            split.W_value.weight.copy_(head.W_value.weight.repeat(times, 1))
        if hasattr(split, "out_proj"):
            nn.init.eye_(split.out_proj.weight)
            nn.init.zeros_(split.out_proj.bias)
