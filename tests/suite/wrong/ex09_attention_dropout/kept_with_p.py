# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    if p == 0:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) < p  # <- here
    return weights * keep / p
