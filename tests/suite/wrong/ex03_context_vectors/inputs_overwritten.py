# mistakes: input-mutated
import torch


def context_vector(weights, inputs):
    return torch.matmul(weights, inputs)


def context_vectors(inputs):
    for i in range(inputs.shape[0]):
        share = torch.softmax(inputs @ inputs[i], dim=0)
        inputs[i] = context_vector(share, inputs)  # <- input-mutated
    return inputs
