"""A bernoulli matrix of survivors, multiplied in by einsum; scaling by hand."""

import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    survivors = torch.bernoulli(torch.full_like(weights, 1 - p), generator=generator)
    scale = 1 / (1 - p) if p < 1 else 0.0
    return torch.einsum("...,...->...", weights, survivors) * scale
