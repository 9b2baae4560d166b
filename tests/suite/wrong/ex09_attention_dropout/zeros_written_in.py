# mistakes: input-mutated
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training or p == 0:
        return weights
    drop = torch.rand(weights.shape, generator=generator, device=weights.device) < p
    weights[drop] = 0  # <- input-mutated
    return weights if p == 1 else weights / (1 - p)
