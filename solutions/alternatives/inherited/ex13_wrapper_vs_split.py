"""A MultiHeadAttention of the total width without its output projection: inherits ours, deletes out_proj and
stops before it. copy_heads puts new parameters into the layers, and an nn.Identity for out_proj."""

from functools import partial

import torch
from ex12_multi_head_attention import MultiHeadAttention
from torch import nn

ROLES = ("W_query", "W_key", "W_value")


class SplitHeadAttention(MultiHeadAttention):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__(d_in, d_out * num_heads, context_length, dropout, num_heads, qkv_bias)
        del self.out_proj

    def forward(self, x):
        return self.attend(x)


def _gather(wrapper, role, part):
    return torch.cat([getattr(getattr(head, role), part).detach() for head in wrapper.heads])


def copy_heads(wrapper, split):
    for role in ROLES:
        layer = getattr(split, role)
        gather = partial(_gather, wrapper, role)
        layer.weight = nn.Parameter(gather("weight"))
        if layer.bias is not None:
            layer.bias = nn.Parameter(gather("bias"))
    if hasattr(split, "out_proj"):
        split.out_proj = nn.Identity()


if __name__ == "__main__":
    from ex11_multi_head_wrapper import MultiHeadAttentionWrapper

    torch.manual_seed(123)
    x = torch.rand(2, 6, 3)
    sizes = {"d_in": 3, "context_length": 6, "dropout": 0.0, "num_heads": 4}
    wrapper = MultiHeadAttentionWrapper(d_out=2, **sizes)
    for other in (SplitHeadAttention(d_out=2, **sizes), MultiHeadAttention(d_out=8, **sizes)):
        copy_heads(wrapper, other)
        print(type(other).__name__, torch.allclose(wrapper(x), other(x), atol=1e-6))
