# mistakes: scale-missing
import torch


def scaled_scores(queries, keys):
    return torch.einsum("qd,kd->qk", queries, keys) * keys.shape[-1] ** -0.5


def scaled_dot_product_attention(queries, keys, values):
    return scaled_scores(queries, keys).softmax(dim=1) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = torch.sum(q * k, dim=1)
    before = torch.var(raw)
    after = torch.var(raw)  # <- scale-missing
    return before, after
