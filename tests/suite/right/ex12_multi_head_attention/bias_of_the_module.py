# style: the bias of the output projection is the module's own
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.h, self.d = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(d_out))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1).bool())

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (w(x).view(b, t, self.h, self.d).transpose(1, 2) for w in (self.W_query, self.W_key, self.W_value))
        s = q @ k.transpose(-2, -1) / self.d ** 0.5
        s = s.masked_fill(self.mask[:t, :t], -torch.inf)
        w = self.dropout(torch.softmax(s, -1))
        c = w @ v
        return self.out_proj(c.transpose(1, 2).reshape(b, t, -1)) + self.bias
