# mistakes: none
"""Reference: inverted dropout by hand."""

import torch
from torch import Tensor


def dropout_weights(weights: Tensor, p: float, training: bool, generator: torch.Generator | None = None) -> Tensor:
    """Same shape and dtype: a weight becomes 0 with probability p, and survivors grow to make up for it."""
    if not training or p == 0:
        return weights

    with torch.random.fork_rng(enabled=generator is not None):
        if generator is not None:
            torch.manual_seed(generator.initial_seed())
        keep = torch.rand(weights.shape, device=weights.device) >= p  # <- here
    survivors = weights * keep
    if p == 1:  # nothing survived, so there is nothing to divide by 1 - p = 0
        return survivors
    dropped = survivors / (1 - p)
    return dropped
