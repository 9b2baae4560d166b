"""Reference: several causal heads, one after the other, side by side in the result."""

import torch
from torch import Tensor, nn

from exercises.ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    """num_heads independent heads, each d_out wide."""

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
        self.heads = nn.ModuleList(
            CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, d_in) -> (B, T, num_heads * d_out)."""
        contexts = [head(x) for head in self.heads]
        context = torch.cat(contexts, dim=-1)
        return context
