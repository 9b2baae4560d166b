# mistakes: softmax-missing
import math

import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    """einsum; the mask is added."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        width = num_heads * d_out
        self.H = num_heads
        self.W_query = nn.Linear(d_in, width, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, width, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, width, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("blocked", torch.full((context_length, context_length), -math.inf).triu(1))

    def forward(self, x):
        T = x.shape[1]
        q = self.W_query(x).unflatten(2, (self.H, -1))
        k = self.W_key(x).unflatten(2, (self.H, -1))
        v = self.W_value(x).unflatten(2, (self.H, -1))
        logits = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.size(-1))
        logits = logits + self.blocked[:T, :T]
        p = self.drop(logits)  # <- softmax-missing
        z = torch.einsum("bhij,bjhd->bihd", p, v)
        return z.flatten(start_dim=2)


@torch.no_grad()
def copy_heads(wrapper, split):
    d = wrapper.heads[0].W_query.weight.shape[0]
    for h, head in enumerate(wrapper.heads):
        rows = slice(h * d, (h + 1) * d)
        split.W_query.weight[rows] = head.W_query.weight
        split.W_key.weight[rows] = head.W_key.weight
        split.W_value.weight[rows] = head.W_value.weight
        if head.W_query.bias is not None:
            split.W_query.bias[rows] = head.W_query.bias
            split.W_key.bias[rows] = head.W_key.bias
            split.W_value.bias[rows] = head.W_value.bias
    projection = getattr(split, "out_proj", None)
    if projection is not None:
        nn.init.eye_(projection.weight)
        nn.init.zeros_(projection.bias)
