# mistakes: dropout-unscaled
import torch


def dropout_weights(weights, p, training, generator=None):
    if training:
        coin = torch.empty_like(weights).uniform_(generator=generator)
        return torch.where(coin < p, 0.0, weights)  # <- dropout-unscaled
    return weights
