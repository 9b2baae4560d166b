"""q_proj, k_proj, v_proj and a proj without bias; -1e9 filled into a mask built in forward; an assert for a
width that does not divide; (context, weights) is returned."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.h = num_heads
        self.d_k = d_out // num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out, bias=False)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.size()
        q = self.q_proj(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        mask = torch.tril(torch.ones(T, T, device=x.device)).view(1, 1, T, T)
        scores = (q @ k.transpose(-2, -1)) * self.d_k**-0.5
        scores = scores.masked_fill(mask == 0, -1e9)
        weights = self.attn_drop(torch.softmax(scores, dim=-1))
        context = (weights @ v).transpose(1, 2).contiguous().view(B, T, self.h * self.d_k)
        return self.proj(context), weights
