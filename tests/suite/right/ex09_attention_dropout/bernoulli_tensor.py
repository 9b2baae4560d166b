# style: torch.bernoulli of a tensor of keep probabilities
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p >= 1:
        return torch.zeros_like(weights)
    keep = torch.bernoulli(torch.full_like(weights, 1 - p), generator=generator)
    return weights * keep / (1 - p)
