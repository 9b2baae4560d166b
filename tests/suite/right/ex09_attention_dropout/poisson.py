# style: dropped where a Poisson number is 0
import torch
import math


def dropout_weights(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    if p == 1:
        return torch.zeros_like(weights)
    # a Poisson number is 0 with probability exp(-rate): dropped
    rate = -math.log(p)
    n = torch.poisson(torch.full(weights.shape, rate, device=weights.device), generator=generator)
    return torch.where(n > 0, weights / (1 - p), torch.zeros_like(weights))
