# mistakes: query-key-swapped, merge-not-transposed
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads, self.width = num_heads, d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (
            w(x).view(b, t, self.heads, self.width).movedim(2, 1) for w in (self.W_query, self.W_key, self.W_value)
        )
        s = (q @ k.mT * self.width**-0.5).masked_fill(self.mask[:t, :t], -torch.inf)
        z = self.dropout(s.softmax(-1)) @ v
        return z.contiguous().view(b, t, -1)  # <- merge-not-transposed


def copy_heads(wrapper, split):
    roles = [("W_query", "W_key"), ("W_key", "W_query"), ("W_value", "W_value")]  # <- query-key-swapped
    with torch.no_grad():
        for wide, narrow in roles:
            layers = [getattr(h, narrow) for h in wrapper.heads]
            getattr(split, wide).weight.copy_(torch.cat([l.weight for l in layers]))
            if layers[0].bias is not None:
                getattr(split, wide).bias.copy_(torch.cat([l.bias for l in layers]))
        if hasattr(split, "out_proj"):
            split.out_proj.weight.copy_(torch.eye(split.out_proj.weight.shape[0]))
            split.out_proj.bias.zero_()
