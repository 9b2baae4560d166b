# mistakes: mask-not-sliced
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        neg = torch.full((context_length, context_length), float("-inf"))
        self.register_buffer("bias", torch.triu(neg, diagonal=1))

    def forward(self, x):
        n = x.size(1)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = torch.bmm(q, k.transpose(-2, -1))
        att = att / self.d_out ** 0.5
        att = att + self.bias  # <- mask-not-sliced
        att = torch.softmax(att, -1)
        y = torch.bmm(self.drop(att), v)
        return y
