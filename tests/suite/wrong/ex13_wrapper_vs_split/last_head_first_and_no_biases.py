# mistakes: heads-wrong-axis, bias-ignored
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        t = x.shape[1]
        q, k, v = (
            layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        hidden = torch.ones(t, t, dtype=torch.bool, device=x.device).triu(1)
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
        return (self.dropout(scores.softmax(-1)) @ v).transpose(1, 2).flatten(2)


@torch.no_grad()
def copy_heads(wrapper, split):
    for name in ("W_query", "W_key", "W_value"):
        narrow = [getattr(head, name) for head in reversed(wrapper.heads)]  # <- heads-wrong-axis
        getattr(split, name).weight.copy_(torch.cat([layer.weight for layer in narrow]))  # <- bias-ignored
    if hasattr(split, "out_proj"):
        nn.init.eye_(split.out_proj.weight)
        nn.init.zeros_(split.out_proj.bias)
