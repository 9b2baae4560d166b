# style: a subclass of exercise 10's class, relatively imported, that adds out_proj and a split
import torch
from torch import nn

from .ex10_causal_attention import CausalAttention


class MultiHeadAttention(CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        if d_out % num_heads:
            raise ValueError("num_heads must divide d_out")
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.num_heads = num_heads
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        T = x.shape[1]
        split = lambda t: torch.stack(t.chunk(self.num_heads, dim=-1), dim=1)  # noqa: E731
        q, k, v = split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x))
        scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(self.mask[:T, :T], -torch.inf)
        heads = self.dropout(scores.softmax(-1)) @ v
        return self.out_proj(torch.cat(heads.unbind(dim=1), dim=-1))
