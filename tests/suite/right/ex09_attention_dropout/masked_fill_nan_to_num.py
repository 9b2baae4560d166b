# style: divides first and cleans up 0/0 with nan_to_num; masked_fill_ on its own tensor
import torch


def dropout_weights(weights, p, training, generator=None):
    if training:
        gone = torch.rand(size=weights.size(), generator=generator, dtype=weights.dtype, device=weights.device) < p
        weights = weights.masked_fill(gone, 0.0)
        weights /= (1 - p)
        weights = torch.nan_to_num_(weights)
    return weights
