# mistakes: returns-none
import torch


def context_vector(weights, inputs):
    return torch.einsum("t,td->d", weights, inputs)


def context_vectors(inputs):
    s = inputs @ inputs.T
    w = torch.softmax(s, dim=1)
    contexts = torch.mm(w, inputs)  # <- returns-none
