"""Bring it all together: causal self-attention with dropout, for a whole batch of sequences.

This is one complete attention head, as it stands in a GPT. Three things are new. The input has a batch axis,
which every step has to leave alone. The mask is made once, for the longest sequence allowed, though many will
be shorter; `self.register_buffer` keeps it with the module, so that it moves to the GPU too. And dropout,
`nn.Dropout` from now on, works on the attention weights.

    context = dropout(softmax(queries keysᵀ / sqrt(d_k), with -inf for the future)) values

A batch of one, two tokens, d_in = d_out = 2, all weights the identity. The first token sees only itself:

    >>> attention = CausalAttention(d_in=2, d_out=2, context_length=4, dropout=0.0)
    >>> for linear in (attention.W_query, attention.W_key, attention.W_value):
    ...     _ = nn.init.eye_(linear.weight)
    >>> attention(torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])).detach()  # (1, 2, 2): B = 1, T = 2
    tensor([[[1.0000, 0.0000],
             [0.3302, 0.6698]]])
"""

import torch
from torch import nn


class CausalAttention(nn.Module):
    """Causal self-attention with the nn.Linear layers W_query, W_key and W_value, and dropout."""

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        """Make the layers, the dropout and the mask.

        d_in: the width of an input token.
        d_out: the width of its query, key and value, and of its context vector.
        context_length: the length of the longest sequence.
        dropout: the probability of dropping an attention weight while training.
        qkv_bias: whether the three layers have a bias.
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give every token its context vector.

        x: (B, T, d_in), B sequences of T tokens, with any T from 1 to context_length.
        Returns (B, T, d_out).
        """
        raise NotImplementedError
