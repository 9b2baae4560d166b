# mistakes: weights-transposed
import torch


def context_vector(weights, inputs):
    return torch.einsum("t,td->d", weights, inputs)


def context_vectors(inputs):
    s = torch.einsum("id,jd->ij", inputs, inputs)
    w = s.softmax(-1)
    return torch.einsum("qk,qd->kd", w, inputs)  # <- weights-transposed
