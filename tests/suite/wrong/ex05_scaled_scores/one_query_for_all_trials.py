# mistakes: none
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    query = torch.randn(dim, generator=generator)  # <- here
    before, after = [], []
    for _ in range(num_trials):
        product = query @ torch.randn(dim, generator=generator)
        before.append(product)
        after.append(product / dim**0.5)
    return torch.stack(before).var(), torch.stack(after).var()
