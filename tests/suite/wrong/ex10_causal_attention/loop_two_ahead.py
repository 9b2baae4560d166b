# mistakes: mask-diagonal
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("future", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        tokens = x.shape[1]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** 0.5
        for i in range(tokens):
            s[:, i, i + 2 :] = -torch.inf  # <- mask-diagonal
        w = self.drop(torch.softmax(s, -1))
        return w @ v
