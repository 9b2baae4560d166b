"""Reference: multi-head attention with the heads as an axis of one tensor, not as a loop."""

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    """Causal attention with d_out split among num_heads heads, and an output projection that mixes them."""

    mask: Tensor

    def __init__(
        self,
        d_in: int,
        d_out: int,
        context_length: int,
        dropout: float,
        num_heads: int,
        qkv_bias: bool = False,
    ) -> None:
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"d_out ({d_out}) must be divisible by num_heads ({num_heads}).")

        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        everywhere = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("mask", torch.triu(everywhere, diagonal=1))

    def split_heads(self, projected: Tensor) -> Tensor:
        """(B, T, d_out) -> (B, num_heads, T, head_dim): each head takes its own slice of the width."""
        batch_size, num_tokens, _ = projected.shape
        split = projected.view(batch_size, num_tokens, self.num_heads, self.head_dim)
        by_head = split.transpose(1, 2)
        return by_head

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, d_in) -> (B, T, d_out), for any T up to context_length."""
        num_tokens = x.shape[1]
        projected_queries = self.W_query(x)
        projected_keys = self.W_key(x)
        projected_values = self.W_value(x)

        queries = self.split_heads(projected_queries)
        keys = self.split_heads(projected_keys)
        values = self.split_heads(projected_values)

        scores = queries @ keys.transpose(2, 3)
        scaled = scores / keys.shape[-1] ** 0.5
        masked = scaled.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        weights = torch.softmax(masked, dim=-1)
        dropped = self.dropout(weights)
        head_contexts = dropped @ values

        side_by_side = head_contexts.transpose(1, 2)
        context = side_by_side.flatten(start_dim=2)
        output: Tensor = self.out_proj(context)
        return output
