# style: what is kept at the first of a geometric number of tries
import torch
def dropout_weights(weights, p, training, generator=None):
    if not training: return weights
    if p in (0, 1): return weights * (1 - p)
    tries = torch.empty(weights.shape, device=weights.device).geometric_(1 - p, generator=generator)
    return torch.where(tries == 1, weights / (1 - p), 0.0).to(weights.dtype)
