# mistakes: input-mutated
import torch


def dropout_weights(weights, p, training, generator=None):
    if training is False:
        return weights
    u = torch.rand(weights.size(), generator=generator, device=weights.device)
    mask = (u >= p).type_as(weights)
    weights.mul_(mask)  # <- input-mutated
    return weights.div(1.0 - p) if p < 1 else weights
