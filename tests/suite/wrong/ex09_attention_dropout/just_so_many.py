# mistakes: none
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    order = torch.randperm(weights.numel(), generator=generator, device=weights.device)
    keep = order >= round(p * weights.numel())  # <- here
    return weights * keep.view(weights.shape) / (1 - p)
