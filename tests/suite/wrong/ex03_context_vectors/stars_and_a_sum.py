# mistakes: none
import torch


def context_vector(weights, inputs):
    return (weights * inputs).sum(dim=0)  # <- here


def context_vectors(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1) @ inputs
