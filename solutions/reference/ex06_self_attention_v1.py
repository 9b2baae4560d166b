"""Reference: self-attention as a module whose three matrices can be trained."""

import torch
from torch import Tensor, nn


class SelfAttention_v1(nn.Module):
    """Scaled dot-product self-attention over the tokens of one sequence."""

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x: Tensor) -> Tensor:
        """(T, d_in) -> (T, d_out)."""
        queries = x @ self.W_query
        keys = x @ self.W_key
        values = x @ self.W_value

        scores = queries @ keys.T
        scaled = scores / keys.shape[-1] ** 0.5
        weights = torch.softmax(scaled, dim=-1)
        context = weights @ values
        return context
