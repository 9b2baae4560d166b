# style: 0 or 1 from torch.multinomial, with replacement
import torch
def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    if p >= 1:
        return torch.zeros_like(weights)
    k = torch.multinomial(torch.tensor([p, 1 - p], device=weights.device), weights.numel(), replacement=True, generator=generator)
    return weights * k.view_as(weights) / (1 - p)
