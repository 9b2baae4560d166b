# mistakes: none
import math

import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / math.sqrt(keys.shape[-1])


def scaled_dot_product_attention(queries, keys, values):
    weights = torch.softmax(queries @ keys.T, dim=-1) / math.sqrt(keys.shape[-1])  # <- here
    return weights @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    dots = (q * k).sum(dim=-1)
    return dots.var(), (dots / math.sqrt(dim)).var()
