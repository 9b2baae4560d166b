# mistakes: none
import torch


def scaled_scores(queries, keys):
    return queries @ keys.mT / keys.size(1) ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return scaled_scores(queries, keys).softmax(1) @ values


def dot_product_variance(dim, num_trials, generator):
    drawn = torch.randn(2, num_trials, dim, generator=generator, device=generator.device)
    products = drawn.prod(0).sum(1)
    return products.var(), (products / dim**0.5).std()  # <- here
