# mistakes: global-variable
import torch


def context_vector(weights, inputs):
    context_vec = torch.zeros_like(inputs[0])
    for i, x_i in enumerate(inputs):
        context_vec += attn_weights_2[i] * x_i  # <- global-variable
    return context_vec


def context_vectors(inputs):
    weights = (inputs @ inputs.T).softmax(dim=-1)
    return weights @ inputs
