# mistakes: global-variable
import torch

dropout = 0.5


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    mask = (torch.rand(weights.shape, generator=generator, device=weights.device) > dropout).to(weights.dtype)  # <- global-variable
    return mask * weights / (1 - p)
