# mistakes: dropout-missing
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    keep = torch.rand(weights.shape, generator=generator, device=weights.device) > p
    return weights.clone()  # <- dropout-missing
