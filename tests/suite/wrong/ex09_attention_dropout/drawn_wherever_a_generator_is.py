# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training and generator is None:  # <- here
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    kept = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
    return weights * kept / (1 - p)
