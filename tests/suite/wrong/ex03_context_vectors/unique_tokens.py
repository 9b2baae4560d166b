# mistakes: none
import torch


def context_vector(weights, inputs):
    return weights @ inputs


def context_vectors(inputs):
    seen = []
    for t in inputs:
        if not any(torch.equal(t, s) for s in seen):
            seen.append(t)
    keys = torch.stack(seen)  # <- here
    return torch.softmax(inputs @ keys.T, -1) @ keys
