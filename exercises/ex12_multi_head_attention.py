"""Let all heads work at once: one wide projection, split into heads.

A loop over heads keeps the hardware waiting. Instead, project once to the full width, cut the width into
num_heads equal pieces, each head_dim wide, and give the heads an axis of their own beside the batch;
matrix products then serve all heads together. Afterwards join the pieces, and let a last layer, `out_proj`,
mix what the heads found. This is how GPT-2 does it, and most models since.

    (B, T, d_out)  split     (B, T, num_heads, head_dim)
                   swap      (B, num_heads, T, head_dim)        attention, each head for itself
                   swap back (B, T, num_heads, head_dim)
                   join      (B, T, d_out)                      then out_proj

Each head has its own scale, sqrt(head_dim). Here d_out is the width of all heads together. One token of width
4 in two heads, [1, 2, 3, 4], gives head 0 the piece [1, 2] and head 1 the piece [3, 4]. Two sequences of six
tokens:

    >>> attention = MultiHeadAttention(d_in=3, d_out=4, context_length=6, dropout=0.0, num_heads=2)
    >>> attention(torch.rand(2, 6, 3)).shape
    torch.Size([2, 6, 4])
    >>> attention.out_proj.weight.shape
    torch.Size([4, 4])
"""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Multi-head causal attention with the nn.Linear layers W_query, W_key, W_value and out_proj."""

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        """Make the layers, the dropout and the mask.

        d_in: the width of an input token.
        d_out: the width of all heads together; if num_heads does not divide it, raise a ValueError.
        context_length: the length of the longest sequence.
        dropout: the probability of dropping an attention weight while training.
        num_heads: the number of heads.
        qkv_bias: whether W_query, W_key and W_value have a bias; out_proj (d_out to d_out) always has one.
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give every token its context vector, mixed from all heads.

        x: (B, T, d_in), with any T from 1 to context_length.
        Returns (B, T, d_out).
        """
        raise NotImplementedError
