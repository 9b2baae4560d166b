# mistakes: none
import math

import torch


def context_vector(weights, inputs):
    return (weights.unsqueeze(-1) * inputs).sum(dim=0)


def context_vectors(inputs):
    d = inputs.size(-1)
    att = inputs.mm(inputs.t()) / math.sqrt(d)  # <- here
    att = torch.softmax(att, dim=-1)
    return att.mm(inputs)
