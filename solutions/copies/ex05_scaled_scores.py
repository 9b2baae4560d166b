"""The input as it came: must earn no point."""

import torch
from torch import Tensor


def scaled_scores(queries: Tensor, keys: Tensor) -> Tensor:
    return queries


def scaled_dot_product_attention(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    return queries


def dot_product_variance(dim: int, num_trials: int, generator: torch.Generator) -> tuple[int, int]:
    return dim, num_trials
