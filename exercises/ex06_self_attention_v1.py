"""Put self-attention into a module, so that its weights can be trained.

You have every piece already: project, score, scale, softmax, blend. A `nn.Module` keeps the three weight
matrices together with the computation, and whatever you wrap in `nn.Parameter` is found by optimizers, saved
and moved to the GPU with the module.

    queries = x W_query        keys = x W_key        values = x W_value
    context = softmax(queries keysᵀ / sqrt(d_k)) values

Two tokens, d_in = d_out = 2, all three matrices the identity. A token scores 1 / sqrt(2) = 0.7071 with itself
and 0 with the other; softmax makes that 0.6698 and 0.3302:

    >>> attention = SelfAttention_v1(d_in=2, d_out=2)
    >>> for weight in (attention.W_query, attention.W_key, attention.W_value):
    ...     _ = nn.init.eye_(weight)
    >>> attention(torch.tensor([[1.0, 0.0], [0.0, 1.0]])).detach()
    tensor([[0.6698, 0.3302],
            [0.3302, 0.6698]])
"""

import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    """Self-attention with three trainable matrices W_query, W_key and W_value, each (d_in, d_out)."""

    def __init__(self, d_in: int, d_out: int) -> None:
        """Make the parameters, each drawn with torch.rand, in the order W_query, W_key, W_value.

        d_in: the width of an input token.
        d_out: the width of its query, key and value, and of its context vector.
        """
        super().__init__()
        raise NotImplementedError

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Give every token its context vector.

        x: (T, d_in).
        Returns (T, d_out).
        """
        raise NotImplementedError
