# mistakes: scale-inverted
from math import sqrt

import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        make_layer = lambda: nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query = make_layer()
        self.W_key = make_layer()
        self.W_value = make_layer()
        self.attn_drop = nn.Dropout(dropout)
        hidden = torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1)
        self.register_buffer("hidden", hidden, persistent=False)

    def similarity(self, q, k):
        raw = q.matmul(k.transpose(-2, -1))
        return raw * sqrt(k.shape[-1])  # <- scale-inverted

    def hide_future(self, scores):
        t = scores.shape[-1]
        scores = scores.masked_fill(self.hidden[:t, :t], float("-inf"))
        return scores

    def blend(self, weights, v):
        weights = self.attn_drop(weights)
        return weights.matmul(v)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        scores = self.similarity(q, k)
        scores = self.hide_future(scores)
        weights = nn.functional.softmax(scores, dim=-1)
        out = self.blend(weights, v)
        return out
