# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    percent = torch.randint(0, 100, weights.shape, generator=generator)
    keep = percent >= round(p * 100)  # <- here
    return weights * keep / (1 - p)
