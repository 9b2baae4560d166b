# mistakes: none
import torch


def context_vector(weights, inputs):
    return torch.einsum("t,td->d", weights, inputs)


def context_vectors(inputs):
    weights = torch.softmax(inputs @ inputs.T, dim=-1)
    weights = weights.sort(dim=-1, descending=True).values  # <- here
    return weights @ inputs
