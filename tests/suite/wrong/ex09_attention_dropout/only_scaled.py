# mistakes: dropout-missing
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    return weights / (1 - p)  # <- dropout-missing
