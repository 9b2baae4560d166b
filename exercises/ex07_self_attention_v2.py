"""Write the same module with `nn.Linear`, then show that it is the same.

`nn.Linear` brings a better initialisation, which makes training steadier, and a bias if you ask for one. Mind
how it keeps its weight. Since version 1 and version 2 start from different random weights, they give
different outputs, until you copy the weights of one into the other.

    nn.Linear(d_in, d_out):  y = x weightᵀ + bias           weight is (d_out, d_in)
    version 1:               y = x W                        W is (d_in, d_out)

Two tokens, d_in = d_out = 2, all three weights the identity, no bias: version 1's figures again.

    >>> attention = SelfAttention_v2(d_in=2, d_out=2)
    >>> for linear in (attention.W_query, attention.W_key, attention.W_value):
    ...     _ = nn.init.eye_(linear.weight)
    >>> attention(torch.tensor([[1.0, 0.0], [0.0, 1.0]])).detach()
    tensor([[0.6698, 0.3302],
            [0.3302, 0.6698]])
    >>> SelfAttention_v2(d_in=3, d_out=2).W_query.weight.shape
    torch.Size([2, 3])
"""

import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    """Self-attention with three nn.Linear layers W_query, W_key and W_value, each from d_in to d_out."""

    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        """Make the layers, in the order W_query, W_key, W_value.

        d_in: the width of an input token.
        d_out: the width of its query, key and value, and of its context vector.
        qkv_bias: whether the three layers have a bias.
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give every token its context vector.

        x: (T, d_in).
        Returns (T, d_out).
        """
        raise NotImplementedError


def copy_weights(source_v2: nn.Module, target_v1: nn.Module) -> None:
    """Give a SelfAttention_v1 the weights of a SelfAttention_v2, so that both give the same outputs.

    source_v2: a SelfAttention_v2 without bias; it stays as it is.
    target_v1: a SelfAttention_v1 of the same d_in and d_out; its three parameters are overwritten and remain
        parameters.
    """
    raise NotImplementedError
