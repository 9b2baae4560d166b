# mistakes: dropout-in-eval
import torch


def dropout_weights(weights, p, training, generator=None):
    if p == 1:
        return torch.zeros_like(weights)
    noise = torch.rand(weights.shape, generator=generator, device=weights.device)
    return weights * (noise >= p) / (1 - p)  # <- dropout-in-eval
