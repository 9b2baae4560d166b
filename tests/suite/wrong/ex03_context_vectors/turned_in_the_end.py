# mistakes: weights-transposed
import torch


def context_vector(weights, inputs):
    return weights @ inputs


def context_vectors(inputs):
    w = torch.softmax(inputs @ inputs.T, dim=-1)

    # one column for each token
    return w.T @ inputs  # <- weights-transposed
