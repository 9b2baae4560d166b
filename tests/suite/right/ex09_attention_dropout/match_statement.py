# style: match on training and p, rand_like only where there is no generator
import torch


def dropout_weights(weights, p, training, generator=None):
    match (training, p):
        case (False, _) | (True, 0):
            return weights
        case (True, 1):
            return torch.zeros_like(weights)
        case _:
            pass
    match generator:
        case None:
            noise = torch.rand_like(weights)
        case torch.Generator():
            noise = torch.rand(*weights.shape, generator=generator, dtype=weights.dtype, device=weights.device)
    return torch.heaviside(noise - p, torch.ones((), dtype=weights.dtype, device=weights.device)) * weights / (1 - p)
