# mistakes: none
import torch


def context_vector(weights, inputs):
    return inputs.T @ weights


def context_vectors(inputs):
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    contexts = weights @ inputs
    return contexts + inputs  # <- here
