# style: a loop over the trials, lists, the standard library's variance, floats returned
import math
import statistics

import torch


def scaled_scores(queries, keys):
    d_k = keys.shape[1]
    return torch.stack([torch.stack([q.dot(k) for k in keys]) for q in queries]) / math.sqrt(d_k)


def scaled_dot_product_attention(queries, keys, values):
    weights = torch.softmax(scaled_scores(queries, keys), dim=-1)
    return torch.stack([sum(w * v for w, v in zip(row, values)) for row in weights])


def dot_product_variance(dim, num_trials, generator):
    before, after = [], []
    for _ in range(num_trials):
        q = torch.randn(dim, generator=generator)
        k = torch.randn(dim, generator=generator)
        d = torch.dot(q, k).item()
        before.append(d)
        after.append(d / math.sqrt(dim))
    return statistics.variance(before), statistics.pvariance(after)
