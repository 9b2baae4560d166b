# mistakes: none
import torch


def context_vector(weights, inputs):
    return weights @ inputs


def context_vectors(inputs):
    w = torch.softmax(inputs @ inputs.T, -1)
    rows = inputs.tolist()
    out = torch.zeros_like(inputs)
    for row in rows:
        i = rows.index(row)  # <- here
        out[i] = context_vector(w[i], inputs)
    return out
