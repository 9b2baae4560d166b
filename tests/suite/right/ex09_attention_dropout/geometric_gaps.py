# style: the first success of a geometric law, in float64
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training or p == 0:
        return weights * 1
    if p == 1:
        return weights * 0
    gap = torch.empty_like(weights, dtype=torch.float64).geometric_(1 - p, generator=generator)
    keep = gap == 1
    return weights * keep.to(weights.dtype) / (1 - p)
