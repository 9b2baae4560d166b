# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    dropped = torch.zeros_like(weights)
    for row in range(weights.shape[0]):
        for column in range(weights.shape[1]):  # <- here
            if torch.rand(1, generator=generator, device=weights.device).item() >= p:
                dropped[row, column] = weights[row, column] / (1 - p)
    return dropped
