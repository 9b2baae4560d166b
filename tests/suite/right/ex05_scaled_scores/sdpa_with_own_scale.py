# style: torch's attention on scaled queries with scale=1, and an explicit one in another function
import math

import torch
import torch.nn.functional as F


def scaled_scores(queries, keys):
    T, d = keys.shape
    return torch.baddbmm(
        torch.zeros(1, len(queries), T, dtype=keys.dtype, device=keys.device),
        queries[None],
        keys.T[None],
        alpha=1 / math.sqrt(d),
    )[0]


def scaled_dot_product_attention(queries, keys, values):
    q = queries[None, None] / math.sqrt(queries.size(-1))
    return F.scaled_dot_product_attention(q, keys[None, None], values[None, None], scale=1.0)[0, 0]


def dot_product_variance(dim, num_trials, generator):
    def draw():
        return torch.randn(num_trials, dim, generator=generator, device=generator.device)

    d = torch.bmm(draw().unsqueeze(1), draw().unsqueeze(2)).flatten()
    before = torch.var(d, correction=0)
    return before, torch.var(d / math.sqrt(dim), correction=0)
