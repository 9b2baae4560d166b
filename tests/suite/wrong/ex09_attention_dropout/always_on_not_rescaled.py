# mistakes: dropout-in-eval, dropout-unscaled
import torch


def dropout_weights(weights, p, training, generator=None):
    probs = torch.full(weights.shape, 1 - p, device=weights.device)
    keep = torch.bernoulli(probs, generator=generator).to(weights.dtype)
    if training:
        print("dropping", (keep == 0).sum().item())
    out = weights * keep  # <- dropout-unscaled
    return out  # <- dropout-in-eval
