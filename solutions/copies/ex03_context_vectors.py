"""The input as it came: must earn no point."""

from torch import Tensor


def context_vector(weights: Tensor, inputs: Tensor) -> Tensor:
    return weights


def context_vectors(inputs: Tensor) -> Tensor:
    return inputs
