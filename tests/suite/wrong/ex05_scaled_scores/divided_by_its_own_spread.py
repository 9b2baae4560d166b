# mistakes: none
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    queries = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    keys = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    dots = (queries * keys).sum(dim=-1)
    before = dots.var()
    after = (dots / dots.std()).var()  # <- here
    return before, after
