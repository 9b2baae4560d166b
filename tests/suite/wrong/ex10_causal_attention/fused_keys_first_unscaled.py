# mistakes: scale-missing

import torch
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.c_attn = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())
    def forward(self, x):
        T = x.shape[1]
        k, q, v = self.c_attn(x).split(self.d_out, dim=-1)
        hidden = self.mask[:T, :T]
        weights = torch.softmax((q @ k.transpose(1, 2)).masked_fill(hidden, -torch.inf), dim=-1)  # <- scale-missing
        weights = self.dropout(weights)
        return weights @ v
