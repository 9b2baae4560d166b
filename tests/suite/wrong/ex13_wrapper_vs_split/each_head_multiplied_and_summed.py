# mistakes: none
"""Reference: the wrapper's heads in three wide projections, and the copy that shows they compute the same."""

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
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
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

        contexts = []
        for h in range(self.num_heads):  # <- here
            scores = (queries[:, h, :, None] * keys[:, h, None]).sum(-1) / self.head_dim**0.5
            masked = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
            weights = self.dropout(masked.softmax(-1))
            contexts.append((weights[..., None] * values[:, h, None]).sum(-2))
        head_contexts = torch.stack(contexts, dim=1)

        side_by_side = head_contexts.transpose(1, 2)
        context: Tensor = side_by_side.flatten(start_dim=2)
        return context


def copy_heads(wrapper: nn.Module, split: nn.Module) -> None:
    """Lay the wrapper's heads side by side in split; an out_proj, if there is one, becomes the identity."""
    heads = wrapper.heads
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
