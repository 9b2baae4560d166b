# style: SDPA; the copy writes slices head by head through .data
import torch
import torch.nn.functional as F
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.p = dropout
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = [w(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for w in (self.W_query, self.W_key, self.W_value)]
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p if self.training else 0.0)
        return out.transpose(1, 2).flatten(2)


def copy_heads(wrapper, split):
    start = 0
    for head in wrapper.heads:
        stop = start + head.W_query.weight.shape[0]
        for name in ("W_query", "W_key", "W_value"):
            source, target = getattr(head, name), getattr(split, name)
            target.weight.data[start:stop] = source.weight.data
            if source.bias is not None:
                target.bias.data[start:stop] = source.bias.data
        start = stop
    if getattr(split, "out_proj", None) is not None:
        torch.nn.init.eye_(split.out_proj.weight)
        torch.nn.init.zeros_(split.out_proj.bias)
