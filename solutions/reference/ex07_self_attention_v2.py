"""Reference: self-attention with nn.Linear, and how its weights relate to version 1's."""

import torch
from torch import Tensor, nn


class SelfAttention_v2(nn.Module):
    """Scaled dot-product self-attention over the tokens of one sequence, with linear layers."""

    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x: Tensor) -> Tensor:
        """(T, d_in) -> (T, d_out)."""
        queries = self.W_query(x)
        keys = self.W_key(x)
        values = self.W_value(x)

        scores = queries @ keys.T
        scaled = scores / keys.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)
        context: Tensor = weights @ values
        return context


def copy_weights(source_v2: nn.Module, target_v1: nn.Module) -> None:
    """Make target_v1 give source_v2's outputs: nn.Linear keeps the transpose of version 1's matrix."""
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            linear = getattr(source_v2, role)
            parameter = getattr(target_v1, role)
            parameter.copy_(linear.weight.T)
