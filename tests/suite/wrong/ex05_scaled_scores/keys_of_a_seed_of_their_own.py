# mistakes: none
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    other = torch.Generator().manual_seed(42)
    queries = torch.randn(num_trials, dim, generator=generator)
    keys = torch.randn(num_trials, dim, generator=other)  # <- here
    products = (queries * keys).sum(dim=-1)
    return products.var(), (products / dim**0.5).var()
