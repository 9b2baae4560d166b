"""Run several attention heads and put their results side by side.

One head has one way of looking at a sequence. Several heads, each with weights of its own, can look for
several things at once: one may follow word order, another may find what a pronoun stands for. The simplest
way to have them is a list of the heads you wrote in exercise 10, and this is what you build here.

    context = [head_0(x), head_1(x), ...]           joined along the last axis

Two heads of width 2 on two sequences of six tokens, d_in = 3: each token gets 2 · 2 = 4 numbers, the first
two from head 0, the last two from head 1.

    >>> attention = MultiHeadAttentionWrapper(d_in=3, d_out=2, context_length=6, dropout=0.0, num_heads=2)
    >>> x = torch.rand(2, 6, 3)
    >>> attention(x).shape
    torch.Size([2, 6, 4])
    >>> torch.equal(attention(x)[:, :, 2:], attention.heads[1](x))
    True
"""

import torch
from torch import nn

from exercises.ex10_causal_attention import CausalAttention  # noqa: F401 - your own, from exercise 10


class MultiHeadAttentionWrapper(nn.Module):
    """Several independent CausalAttention heads, kept in `heads`, an nn.ModuleList."""

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        """Make the heads.

        d_in: the width of an input token.
        d_out: the width of each head's context vectors.
        context_length: the length of the longest sequence.
        dropout: the probability of dropping an attention weight while training.
        num_heads: the number of heads.
        qkv_bias: whether the heads' layers have a bias.
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give every token the context vectors of all heads, in the order of the heads.

        x: (B, T, d_in), with any T from 1 to context_length.
        Returns (B, T, num_heads * d_out).
        """
        raise NotImplementedError
