# style: a normal number against the quantile of p, nothing uniform
import torch


def dropout_weights(weights, p, training, generator=None):
    q = 1 - p
    if not training: return weights
    if not q: return weights * 0
    grenze = torch.special.ndtri(torch.tensor(float(p), dtype=torch.float64)).item()
    bleibt = torch.randn(weights.shape, generator=generator, device=weights.device) >= grenze
    return weights * bleibt.to(weights.dtype) * (1 / q)
