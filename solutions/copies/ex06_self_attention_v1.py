"""The input as it came: must earn no point."""

from torch import Tensor, nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        return x
