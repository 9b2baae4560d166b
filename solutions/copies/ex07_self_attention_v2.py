"""The input as it came: must earn no point."""

from torch import Tensor, nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        return x


def copy_weights(source_v2: nn.Module, target_v1: nn.Module) -> None:
    return None
