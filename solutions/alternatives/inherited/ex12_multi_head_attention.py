"""Inherits our CausalAttention (layers, mask and dropout) and adds the split, the merge and the output
projection. The sizes are kept in a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from exercises.ex09_attention_dropout import dropout_weights
from exercises.ex10_causal_attention import CausalAttention


@dataclass
class Heads:
    width: int
    number: int

    def __post_init__(self):
        if self.width % self.number:
            raise ValueError(f"{self.width} does not divide into {self.number} heads")

    @cached_property
    def dim(self) -> int:
        return self.width // self.number

    def split(self, x: Tensor) -> Tensor:
        """(B, T, H * d) -> (B, H, T, d)"""
        return x.reshape(*x.shape[:2], self.number, self.dim).permute(0, 2, 1, 3)

    def merge(self, x: Tensor) -> Tensor:
        """(B, H, T, d) -> (B, T, H * d)"""
        return x.permute(0, 2, 1, 3).flatten(start_dim=2)


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        heads_of = Heads(d_out, num_heads)
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.heads_of = heads_of
        self.out_proj = nn.Linear(d_out, d_out)

    def attend(self, x):
        queries, keys, values = (self.heads_of.split(projected) for projected in self.project(x))
        T = x.shape[1]
        scores = torch.matmul(queries, keys.transpose(-1, -2)).masked_fill(self.mask[:T, :T], -torch.inf)
        weights = torch.softmax(scores / self.heads_of.dim**0.5, dim=-1)
        self.last_weights = weights.detach()
        return self.heads_of.merge(dropout_weights(weights, self.p, self.training) @ values)

    def forward(self, x):
        return self.out_proj(self.attend(x))
