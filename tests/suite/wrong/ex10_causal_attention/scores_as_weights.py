# mistakes: softmax-missing
import math

import torch
from torch import einsum, nn


class CausalAttention(nn.Module):
    """Causal attention with einsum. The mask is made when it is needed."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(p=dropout)
        self.scale = 1 / math.sqrt(d_out)

    def forward(self, x):
        t = x.size(1)
        q, k, v = self.to_q(x), self.to_k(x), self.to_v(x)
        sim = einsum("b i d, b j d -> b i j", q, k) * self.scale
        future = torch.full((t, t), float("-inf"), device=x.device).triu(1)
        sim = sim + future
        attn = self.drop(sim)  # <- softmax-missing
        return einsum("b i j, b j d -> b i d", attn, v)
