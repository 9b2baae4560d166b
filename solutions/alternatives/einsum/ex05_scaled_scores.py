"""Scaled attention by einsum; the variance experiment draws all pairs at once and contracts them in one
einsum."""

import torch


def scaled_scores(queries, keys):
    return torch.einsum("id,jd->ij", queries, keys) * keys.shape[-1] ** -0.5


def scaled_dot_product_attention(queries, keys, values):
    weights = scaled_scores(queries, keys).softmax(dim=-1)
    return torch.einsum("ij,jv->iv", weights, values)


def dot_product_variance(dim, num_trials, generator):
    pairs = torch.randn(2, num_trials, dim, generator=generator, device=generator.device)
    products = torch.einsum("nd,nd->n", pairs[0], pairs[1])
    return products.var(), (products / dim**0.5).var()
