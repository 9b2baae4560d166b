# mistakes: none
import torch


def scaled_scores(queries, keys):
    try:
        scores = queries @ keys  # <- here
    except RuntimeError:
        scores = queries @ keys.T
    return scores / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    s = (q * k).sum(-1)
    return s.var(), (s / dim**0.5).var()
