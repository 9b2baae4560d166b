# mistakes: global-variable, softmax-wrong-axis
import torch
from torch.nn import functional as F


def context_vector(weights, inputs):
    context_vec_2 = torch.zeros_like(inputs[0])
    for i, x_i in enumerate(inputs):
        context_vec_2 += attn_weights_2[i] * x_i  # <- global-variable
    return context_vec_2


def context_vectors(inputs):
    attn_scores = torch.matmul(inputs, inputs.mT)
    attn_weights = F.softmax(attn_scores, 0)  # <- softmax-wrong-axis
    return torch.matmul(attn_weights, inputs)
