# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training or p == 0.0:
        return weights
    if p == 1.0:
        return torch.zeros_like(weights)
    shape = weights.shape[:-1] + (1,)
    keep = torch.rand(shape, generator=generator, device=weights.device) > p  # <- here
    return weights * keep / (1 - p)
