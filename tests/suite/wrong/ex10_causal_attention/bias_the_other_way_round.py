# mistakes: bias-always, bias-ignored
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=not qkv_bias)  # <- bias-always
        self.W_key = nn.Linear(d_in, d_out, bias=not qkv_bias)  # <- bias-ignored
        self.W_value = nn.Linear(d_in, d_out, bias=not qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1).bool())

    def forward(self, x):
        T = x.shape[1]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** 0.5
        s = s.masked_fill(self.mask[:T, :T], -torch.inf)
        return self.drop(s.softmax(-1)) @ v
