# mistakes: none
import torch


def scaled_scores(queries, keys):
    return torch.einsum("qd,kd->qk", queries, keys) / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = (q * k).sum(1)
    before = raw.std()  # <- here
    after = raw.div(dim**0.5).var()
    return before, after
