# mistakes: none
import math

import torch
import torch.nn as nn
from torch.nn import functional as F


class CausalAttention(nn.Module):

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.c_attn = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.attn_dropout = nn.Dropout(dropout)
        self.n_embd = d_out
        tril = torch.tril(torch.ones(context_length, context_length))
        self.register_buffer("bias", tril.view(1, 1, context_length, context_length))  # <- here

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float('-inf'))
        att = F.softmax(att, dim=-1)
        att = self.attn_dropout(att)
        return att @ v
