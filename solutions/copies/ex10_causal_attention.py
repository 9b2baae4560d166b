"""The input as it came: must earn no point."""

from torch import Tensor, nn


class CausalAttention(nn.Module):
    def __init__(self, d_in: int, d_out: int, context_length: int, dropout: float, qkv_bias: bool = False) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        return x
