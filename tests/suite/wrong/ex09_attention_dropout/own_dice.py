# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rand_like(weights) >= p  # <- here
    return weights * keep / (1 - p)
