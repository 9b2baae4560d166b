# mistakes: none
import torch


def context_vector(weights, inputs):
    return weights @ inputs


def context_vectors(inputs):
    scores = torch.matmul(inputs, inputs.T) - 1.0
    weights = torch.softmax(scores.abs(), dim=-1)  # <- here
    return torch.matmul(weights, inputs)
