# mistakes: input-mutated
import torch


def scaled_scores(queries, keys):
    queries /= keys.shape[-1] ** 0.5  # <- input-mutated
    return queries @ keys.T


def scaled_dot_product_attention(queries, keys, values):
    context = torch.zeros(len(queries), values.shape[1], dtype=values.dtype, device=values.device)
    for i in range(len(queries)):
        weights = torch.softmax(scaled_scores(queries, keys)[i], dim=0)
        context[i] = weights @ values
    return context


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = (q * k).sum(1)
    return raw.var(), (raw / dim**0.5).var()
