# mistakes: scale-missing
import torch
import torch.nn.functional as F


def scaled_scores(queries, keys):
    return torch.einsum("qd,kd->qk", queries, keys).div(keys.size(1) ** 0.5)


def scaled_dot_product_attention(queries, keys, values):
    q, k, v = (t[None] for t in (queries, keys, values))
    return F.scaled_dot_product_attention(q, k, v, scale=1.0)[0]  # <- scale-missing


def dot_product_variance(dim, num_trials, generator):
    a = torch.randn((num_trials, dim), generator=generator, device=generator.device)
    b = torch.randn((num_trials, dim), generator=generator, device=generator.device)
    d = torch.einsum("nd,nd->n", a, b)
    return d.var(), (d / dim**0.5).var()
