# mistakes: softmax-wrong-axis
import torch


def context_vector(weights, inputs):
    return weights @ inputs


def context_vectors(inputs):
    powers = torch.exp(inputs @ inputs.T)
    weights = powers / powers.sum(dim=-1)  # <- softmax-wrong-axis
    return weights @ inputs
