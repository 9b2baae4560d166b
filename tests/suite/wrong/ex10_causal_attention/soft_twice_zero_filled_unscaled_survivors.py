# mistakes: softmax-twice, mask-zero-fill, dropout-unscaled
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
        sim = sim.tril()  # <- mask-zero-fill
        attn = sim.softmax(dim=-1)
        attn = attn.softmax(dim=-1)  # <- softmax-twice
        if self.training:
            attn = attn * (torch.rand_like(attn) > self.drop.p)  # <- dropout-unscaled
        return einsum("b i j, b j d -> b i d", attn, v)
