# style: keys one at a time with a running maximum and a running sum, as FlashAttention does it
import torch


def context_vector(weights, inputs):
    return (weights[:, None] * inputs).sum(0)


def context_vectors(inputs):
    T, d = inputs.shape
    best = torch.full((T, 1), float("-inf"), dtype=inputs.dtype, device=inputs.device)
    total = torch.zeros_like(best)
    mixed = torch.zeros_like(inputs)
    for j in range(T):
        score = inputs @ inputs[j : j + 1].T
        new_best = torch.maximum(best, score)
        shrink = torch.exp(best - new_best)
        share = torch.exp(score - new_best)
        mixed = mixed * shrink + share * inputs[j]
        total = total * shrink + share
        best = new_best
    return mixed / total
