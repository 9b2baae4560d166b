# mistakes: scale-wrong-width
import math

import torch


def scaled_scores(queries, keys):
    num_tokens, d_k = keys.shape
    return (queries / math.sqrt(d_k)) @ keys.T


def scaled_dot_product_attention(queries, keys, values):
    T = queries.shape[0]
    scaled = queries @ keys.transpose(-2, -1) / math.sqrt(T)  # <- scale-wrong-width
    weights = torch.softmax(scaled, dim=-1)
    return weights @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    s = (q * k).sum(-1)
    return s.var(), (s / math.sqrt(dim)).var()
