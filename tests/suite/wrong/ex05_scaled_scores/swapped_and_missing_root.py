# mistakes: query-key-swapped, scale-no-sqrt
import torch


def scaled_scores(queries, keys):
    _, d_k = keys.shape
    scores = torch.stack([queries @ k for k in keys])  # <- query-key-swapped
    return scores / d_k  # <- scale-no-sqrt


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(torch.inner(queries, keys) / keys.shape[-1] ** 0.5, dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = torch.sum(q * k, dim=1)
    return raw.var(), raw.div(dim**0.5).var()
