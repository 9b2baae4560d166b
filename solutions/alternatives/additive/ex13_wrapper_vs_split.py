"""Layers called query, key and value, an additive -inf mask built in forward, (context, weights) returned;
copy_heads knows the names that our own ex10 and ex12 use."""

import math

import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.h = num_heads
        self.d_k = d_out
        self.query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.size()
        q, k, v = [
            layer(x).view(B, T, self.h, self.d_k).transpose(1, 2) for layer in (self.query, self.key, self.value)
        ]
        mask = torch.full((T, T), float("-inf"), device=x.device).triu(1)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(self.d_k) + mask
        weights = self.attn_drop(torch.softmax(scores, dim=-1))
        return (weights @ v).transpose(1, 2).reshape(B, T, self.h * self.d_k), weights


def copy_heads(wrapper, split):
    if isinstance(split, SplitHeadAttention):
        layers = [split.query, split.key, split.value]
    else:  # our MultiHeadAttention
        layers = [split.q_proj, split.k_proj, split.v_proj]
        split.proj.weight.data = torch.eye(split.proj.in_features).to(split.proj.weight)
    for name, layer in zip(["W_q", "W_k", "W_v"], layers, strict=True):
        layer.weight.data = torch.cat([getattr(head, name).weight.data for head in wrapper.heads], dim=0)
        if layer.bias is not None:
            layer.bias.data = torch.cat([getattr(head, name).bias.data for head in wrapper.heads], dim=0)
