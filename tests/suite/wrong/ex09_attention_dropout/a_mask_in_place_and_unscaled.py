# mistakes: input-mutated, dropout-unscaled
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training:
        return weights
    chance = torch.rand(weights.shape, generator=generator, device=weights.device)
    weights.masked_fill_(chance < p, 0.0)  # <- input-mutated
    return weights.clone()  # <- dropout-unscaled
