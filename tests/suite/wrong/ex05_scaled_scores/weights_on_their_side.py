# mistakes: weights-transposed
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    weights = torch.softmax(scaled_scores(queries, keys), dim=-1)
    context = torch.einsum("ji,jd->id", weights, values)  # <- weights-transposed
    return context


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = (q * k).sum(1)
    return raw.var(), (raw / dim**0.5).var()
