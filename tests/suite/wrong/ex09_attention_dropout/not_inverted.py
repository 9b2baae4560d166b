# mistakes: dropout-unscaled, dropout-in-eval
import torch


def dropout_weights(weights, p, training, generator=None):
    if training:
        kept = torch.rand(weights.shape, generator=generator, device=weights.device) >= p
        return weights * kept  # <- dropout-unscaled
    else:
        return weights * (1.0 - p)  # <- dropout-in-eval
