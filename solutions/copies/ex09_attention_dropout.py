"""The input as it came: must earn no point."""

import torch
from torch import Tensor


def dropout_weights(weights: Tensor, p: float, training: bool, generator: torch.Generator | None = None) -> Tensor:
    return weights
