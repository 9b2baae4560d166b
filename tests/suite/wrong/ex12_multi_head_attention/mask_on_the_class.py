# mistakes: none

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out has to be divisible by num_heads")
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        MultiHeadAttention.mask = torch.triu(torch.ones(context_length, context_length), 1).bool()  # <- here

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (f(x).view(b, t, self.num_heads, self.head_dim).transpose(1, 2) for f in (self.W_query, self.W_key, self.W_value))
        s = q @ k.transpose(2, 3) / self.head_dim**0.5
        s = s.masked_fill(self.mask[:t, :t].to(x.device), -torch.inf)
        return self.out_proj((self.dropout(s.softmax(-1)) @ v).transpose(1, 2).reshape(b, t, -1))
