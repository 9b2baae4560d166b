"""Imports the head by a relative import; each head returns (context, weights), and so does the wrapper, with
the weights stacked as (B, H, T, T)."""

import torch
from torch import nn

from .ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        contexts, weights = zip(*[head(x) for head in self.heads], strict=True)
        return torch.cat(contexts, dim=-1), torch.stack(weights, dim=1)
