# mistakes: none
import math

import torch


def scaled_scores(queries, keys):
    return queries @ keys.transpose(0, 1) / math.sqrt(queries.shape[-1])


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.rand(num_trials, dim, generator=generator, device=generator.device)  # <- here
    k = torch.rand(num_trials, dim, generator=generator, device=generator.device)
    s = (q * k).sum(-1)
    return s.var(), (s / math.sqrt(dim)).var()
