# mistakes: heads-not-transposed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.heads, self.width = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.heads, self.width).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.heads, self.width).transpose(1, 2)
        v = self.W_value(x).view(b, self.heads, t, self.width)  # <- heads-not-transposed
        s = (q @ k.transpose(2, 3)).masked_fill(self.mask[:t, :t], -torch.inf)
        w = self.drop(torch.softmax(s / self.width**0.5, dim=-1))
        return self.out_proj((w @ v).transpose(1, 2).reshape(b, t, -1))
