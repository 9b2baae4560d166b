# style: torch's own attention under the same name, population variance, keyword-only helper
import torch
import torch.nn.functional as F


def scaled_scores(queries, keys):
    return torch.matmul(queries, keys.transpose(-2, -1)) / (keys.shape[-1] ** 0.5)


def scaled_dot_product_attention(queries, keys, values):
    return F.scaled_dot_product_attention(queries.unsqueeze(0), keys.unsqueeze(0), values.unsqueeze(0)).squeeze(0)


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    products = torch.einsum("nd,nd->n", q, k)
    return products.var(unbiased=False), (products / dim**0.5).var(unbiased=False)
