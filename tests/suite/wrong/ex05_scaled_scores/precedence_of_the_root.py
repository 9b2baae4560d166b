# mistakes: scale-inverted
import math

import torch


def scaled_scores(queries, keys):
    d_k = keys.shape[1]
    scores = torch.matmul(queries, keys.T)
    return torch.mul(scores, math.sqrt(d_k))  # <- scale-inverted


def scaled_dot_product_attention(queries, keys, values):
    scores = scaled_scores(queries, keys)
    rows = [torch.softmax(row, dim=0) @ values for row in scores]
    return torch.stack(rows)


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    s = torch.sum(q * k, dim=-1)
    return torch.var(s), torch.var(s / math.sqrt(dim))
