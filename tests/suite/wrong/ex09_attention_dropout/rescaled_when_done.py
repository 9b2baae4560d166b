# mistakes: dropout-in-eval
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights * (1 - p)  # <- dropout-in-eval
    if p >= 1:
        return weights * 0
    keep = torch.bernoulli(torch.full_like(weights, 1 - p), generator=generator)
    return weights * keep / (1 - p)
