"""The heads' outputs are stacked on a new axis of their own, which is then laid flat beside the width: no
cat."""

import torch
from torch import nn

from exercises.ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        stacked = torch.stack([head(x) for head in self.heads])
        return torch.einsum("hbtd->bthd", stacked).flatten(2)
