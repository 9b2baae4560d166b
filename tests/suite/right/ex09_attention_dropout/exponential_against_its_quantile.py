# style: exponential numbers against their quantile, and a ValueError for a p that is no probability
import torch, math
def dropout_weights(weights, p, training, generator=None):
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"p must be in [0, 1], got {p}")
    if not training or p == 0.0:
        return weights
    if p == 1.0:
        return weights * 0
    # exponential > -log(1-p) with probability 1-p
    e = torch.empty(weights.shape, device=weights.device).exponential_(generator=generator)
    return (weights / (1 - p)).masked_fill(e <= -math.log1p(-p), 0)
