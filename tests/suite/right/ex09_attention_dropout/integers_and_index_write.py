# style: whole numbers compared with a share of a million; writes zeros into a copy by index
import torch

MILLION = 1_000_000


def dropout_weights(weights, p, training, generator=None):
    dropped = weights.clone()
    if not training:
        return dropped
    lots = torch.randint(0, MILLION, weights.shape, generator=generator, device=weights.device)
    dropped[lots < round(p * MILLION)] = 0
    if p < 1:
        dropped.div_(1 - p)
    return dropped
