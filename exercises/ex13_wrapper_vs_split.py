"""Prove that the list of heads and the split heads compute the same thing.

The wrapper of exercise 11 and the split of exercise 12 look nothing alike. Write a split version of the
wrapper, with the wrapper's constructor and the wrapper's output, whose number of matrix products stays the
same however many heads there are. Then copy a wrapper's weights into it: once both give the same numbers, you
know that the heads of a GPT are independent, and that looping over them costs time and nothing else.

    head h of the split is columns h * d_out to (h + 1) * d_out of the queries, of the keys and of the values

With d_in = 3 and two heads of width 2, W_query of each head is an `nn.Linear(3, 2)`, and W_query of the split
is an `nn.Linear(3, 4)`. Here `wrapper` is a MultiHeadAttentionWrapper from exercise 11 of these sizes:

    >>> split = SplitHeadAttention(d_in=3, d_out=2, context_length=6, dropout=0.0, num_heads=2)
    >>> split(torch.rand(2, 6, 3)).shape
    torch.Size([2, 6, 4])
    >>> split.W_query.weight.shape
    torch.Size([4, 3])
    >>> copy_heads(wrapper, split)
    >>> x = torch.rand(2, 6, 3)
    >>> torch.allclose(wrapper(x), split(x), atol=1e-6)
    True
"""

import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    """The wrapper's heads in three wide nn.Linear layers W_query, W_key and W_value; no out_proj."""

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        """Make the layers, each from d_in to num_heads * d_out, the dropout and the mask.

        d_in: the width of an input token.
        d_out: the width of each head, as in the wrapper.
        context_length: the length of the longest sequence.
        dropout: the probability of dropping an attention weight while training.
        num_heads: the number of heads.
        qkv_bias: whether the three layers have a bias.
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give every token the context vectors of all heads, in the order of the heads.

        x: (B, T, d_in), with any T from 1 to context_length.
        Returns (B, T, num_heads * d_out).
        """
        raise NotImplementedError


def copy_heads(wrapper: nn.Module, split: nn.Module) -> None:
    """Copy a wrapper's heads into split, so that both give the same outputs.

    wrapper: a MultiHeadAttentionWrapper, with or without qkv_bias; it stays as it is.
    split: a SplitHeadAttention, or a MultiHeadAttention whose d_out is the wrapper's num_heads * d_out. It
        has as many heads as the wrapper, and the same qkv_bias. The out_proj of a MultiHeadAttention has to
        give back what it is given.
    """
    raise NotImplementedError
