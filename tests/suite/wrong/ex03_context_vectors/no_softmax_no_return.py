# mistakes: softmax-missing, returns-none
import torch


def context_vector(weights, inputs):
    parts = [weights[k] * inputs[k] for k in range(len(weights))]
    total = sum(parts)  # <- returns-none


def context_vectors(inputs):
    sim = torch.matmul(inputs, inputs.T)
    return sim.matmul(inputs)  # <- softmax-missing
