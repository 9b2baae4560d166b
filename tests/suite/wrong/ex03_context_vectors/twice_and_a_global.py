# mistakes: softmax-twice, global-variable
import torch

tokens = torch.tensor([[0.12, 0.45, 0.67], [0.34, 0.56, 0.78], [0.23, 0.57, 0.91]])


def context_vector(weights, inputs):
    size = tokens.shape[0]  # <- global-variable
    return sum(weights[i] * inputs[i] for i in range(size))


def context_vectors(inputs):
    w = torch.softmax(inputs @ inputs.T, dim=-1)
    w = torch.softmax(w, dim=-1)  # <- softmax-twice
    return w @ inputs
