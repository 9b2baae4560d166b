# mistakes: api-misspelt
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    keep = torch.rnad(weights.shape, generator=generator, device=weights.device) >= p  # <- api-misspelt
    return weights * keep / (1 - p)
