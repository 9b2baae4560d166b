"""Zeros of the right shape: must earn no point."""

from torch import Tensor, nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in: int, d_out: int, qkv_bias: bool = False) -> None:
        super().__init__()
        self.width = d_out

    def forward(self, x: Tensor) -> Tensor:
        return x.new_zeros(*x.shape[:-1], self.width)


def copy_weights(source_v2: nn.Module, target_v1: nn.Module) -> None:
    return None
