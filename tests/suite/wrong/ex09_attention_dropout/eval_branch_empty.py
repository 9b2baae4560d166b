# mistakes: returns-none
import torch


def dropout_weights(weights, p, training, generator=None):
    if training:
        if p == 1:
            return torch.zeros_like(weights)
        keep = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
        return weights * keep / (1 - p)
    else:
        unchanged = weights.clone()  # <- returns-none
