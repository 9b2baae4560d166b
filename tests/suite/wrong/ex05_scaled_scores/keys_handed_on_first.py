# mistakes: query-key-swapped
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    weights = torch.softmax(scaled_scores(keys, queries), dim=-1)  # <- query-key-swapped
    context = weights @ values
    return context


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    products = (q * k).sum(-1)
    return products.var(), (products / dim**0.5).var()
