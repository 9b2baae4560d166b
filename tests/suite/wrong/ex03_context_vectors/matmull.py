# mistakes: api-misspelt
import torch


def context_vector(weights, inputs):
    return torch.matmull(weights, inputs)  # <- api-misspelt


def context_vectors(inputs):
    scores = inputs @ inputs.T
    return torch.softmax(scores, dim=-1) @ inputs
