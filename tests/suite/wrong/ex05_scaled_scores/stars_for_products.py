# mistakes: none
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / queries.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) * values  # <- here


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    d = (q * k).sum(dim=-1)
    return d.var(), (d / dim**0.5).var()
