# style: a loop over the flat entries, one draw for each
import torch


def dropout_weights(weights, p, training, generator=None):
    if not training or p == 0.0:
        return weights
    result = torch.zeros_like(weights)
    flat, source = result.view(-1), weights.reshape(-1)
    for i in range(source.numel()):
        if torch.rand(1, generator=generator, device=weights.device).item() >= p:
            flat[i] = source[i] / (1 - p)
    return result
