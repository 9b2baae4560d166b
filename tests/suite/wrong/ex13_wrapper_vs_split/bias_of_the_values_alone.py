# mistakes: bias-always
"""Another argument is handed on as the bias of one layer."""

from typing import cast

import torch
from torch import Tensor, nn


class SplitHeadAttention(nn.Module):
    """What MultiHeadAttentionWrapper computes, in as many matrix products as one head needs."""

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
        self.num_heads = num_heads
        self.head_dim = d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=num_heads)  # <- bias-always
        self.dropout = nn.Dropout(dropout)
        everywhere = torch.ones(context_length, context_length, dtype=torch.bool)
        self.register_buffer("mask", torch.triu(everywhere, diagonal=1))

    def split_heads(self, projected: Tensor) -> Tensor:
        """(B, T, num_heads * head_dim) -> (B, num_heads, T, head_dim)."""
        batch_size, num_tokens, _ = projected.shape
        split = projected.view(batch_size, num_tokens, self.num_heads, self.head_dim)
        by_head = split.transpose(1, 2)
        return by_head

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, d_in) -> (B, T, num_heads * d_out), for any T up to context_length."""
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
        context: Tensor = side_by_side.flatten(start_dim=2)
        return context


def copy_heads(wrapper: nn.Module, split: nn.Module) -> None:
    """Lay the wrapper's heads side by side in split; an out_proj, if there is one, becomes the identity."""
    heads = cast(nn.ModuleList, wrapper.heads)
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            narrow = [getattr(head, role) for head in heads]
            wide = getattr(split, role)
            wide.weight.copy_(torch.cat([linear.weight for linear in narrow]))
            if wide.bias is not None:
                wide.bias.copy_(torch.cat([linear.bias for linear in narrow]))

        out_proj = getattr(split, "out_proj", None)
        if out_proj is not None:
            nn.init.eye_(out_proj.weight)
            nn.init.zeros_(out_proj.bias)
