# style: keep and rescale in one factor by heaviside, early exits at the ends
import torch


def dropout_weights(weights, p, training, generator=None):
    off = (not training) or p <= 0
    if off:
        return weights + 0
    if p >= 1:
        return torch.zeros_like(weights)
    u = torch.empty_like(weights, dtype=torch.float32).uniform_(generator=generator)
    factor = torch.heaviside(u - p, torch.ones(1, device=u.device)) / (1 - p)
    return weights * factor.to(weights.dtype)
