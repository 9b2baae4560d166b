# mistakes: none
import torch


def scaled_scores(queries, keys):
    scores = queries.double() @ keys.double().T  # <- here
    return scores / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    scaled = queries @ keys.T / keys.shape[-1] ** 0.5
    return torch.softmax(scaled, dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = (q * k).sum(1)
    return raw.var(), (raw / dim**0.5).var()
