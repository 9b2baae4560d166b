"""Row by row: a random number for every weight, and a weight survives when its number is at least p."""

import torch


def dropout_weights(weights, p, training, generator=None):
    if training is False or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    rows = torch.atleast_2d(weights).flatten(0, -2)
    dropped = []
    for row in rows:
        numbers = torch.rand(len(row), generator=generator, device=weights.device)
        survives = numbers >= p
        dropped.append(row * survives / (1 - p))
    return torch.stack(dropped).reshape(weights.shape)
