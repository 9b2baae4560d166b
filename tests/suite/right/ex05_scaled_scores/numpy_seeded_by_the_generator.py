# style: numpy draws, from a seed that the generator gives
import numpy as np
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    seed = torch.randint(2**31, (1,), generator=generator, device=generator.device).item()
    queries, keys = np.random.default_rng(seed).standard_normal((2, num_trials, dim))
    products = torch.from_numpy((queries * keys).sum(-1))
    return products.var(), (products / dim**0.5).var()
