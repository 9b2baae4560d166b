# mistakes: scale-wrong-width
import math
import torch
import torch.nn.functional as F


def scaled_scores(queries, keys):
    scale = 1.0 / math.sqrt(keys.size(-1))
    sims = torch.matmul(queries, keys.transpose(-2, -1))
    return sims * scale


def scaled_dot_product_attention(queries, keys, values):
    scale = 1.0 / math.sqrt(keys.size(-1))
    scale = values.size(-1) ** -0.5  # <- scale-wrong-width
    sims = torch.matmul(queries, keys.transpose(-2, -1)) * scale
    alpha = F.softmax(sims, dim=-1)
    return torch.matmul(alpha, values)


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn((num_trials, dim), generator=generator)
    k = torch.randn((num_trials, dim), generator=generator)
    dots = torch.einsum("nd,nd->n", q, k)
    before = torch.var(dots)
    after = torch.var(dots / math.sqrt(dim))
    return before.item(), after.item()
