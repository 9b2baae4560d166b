# mistakes: dropout-missing
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1.0:
        return torch.zeros_like(weights)
    keep_prob = 1.0 - p
    keep = torch.empty_like(weights).bernoulli_(keep_prob, generator=generator)
    weights * keep / keep_prob  # <- dropout-missing
    return weights
