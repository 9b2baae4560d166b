# mistakes: softmax-wrong-axis
import torch


def my_softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / torch.sum(e, dim=0)  # <- softmax-wrong-axis


def context_vector(weights, inputs):
    return weights @ inputs


def context_vectors(inputs):
    attn_scores = inputs @ inputs.T

    attn_weights = my_softmax(attn_scores)

    return attn_weights @ inputs
