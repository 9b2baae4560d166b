# mistakes: softmax-twice
import torch


def context_vector(weights, inputs):
    return (weights[:, None] * inputs).sum(dim=0)


def blend(scores, inputs):
    return context_vector(torch.softmax(scores, dim=0), inputs)  # <- softmax-twice


def context_vectors(inputs):
    attn = torch.nn.functional.softmax(inputs.mm(inputs.t()), dim=-1)
    return torch.stack([blend(row, inputs) for row in attn])
