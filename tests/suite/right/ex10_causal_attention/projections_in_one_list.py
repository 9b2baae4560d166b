# style: the three layers in one nn.ModuleList
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv = nn.ModuleList([nn.Linear(d_in, d_out, qkv_bias) for _ in "qkv"])
        self.drop = nn.Dropout(dropout)
        self.register_buffer("future", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        q, k, v = (layer(x) for layer in self.qkv)
        T = x.size(1)
        att = torch.einsum("btd,bsd->bts", q, k).div(k.size(2) ** 0.5)
        att = att.masked_fill(self.future[:T, :T], -torch.inf).softmax(2)
        return torch.einsum("bts,bsd->btd", self.drop(att), v)
