# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * keep / (1 - p)  # <- here
