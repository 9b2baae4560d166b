# mistakes: dropout-missing
import torch
import torch.nn.functional as F


def dropout_weights(weights, p, training, generator=None):
    if training:
        survivors = torch.rand(weights.shape, generator=generator, device=weights.device).ge(p)
        return F.dropout(weights, p, training=False)  # <- dropout-missing
    return weights
