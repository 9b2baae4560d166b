"""The queries are scaled before the product; attention itself is PyTorch's kernel; the dot products of the
experiment are one vecdot."""

import math

import torch
import torch.nn.functional as F


def scaled_scores(queries, keys):
    return (queries / math.sqrt(queries.size(-1))) @ keys.mT


def scaled_dot_product_attention(queries, keys, values):
    return F.scaled_dot_product_attention(queries[None], keys[None], values[None])[0]


def dot_product_variance(dim, num_trials, generator):
    device = generator.device
    queries = torch.randn(num_trials, dim, generator=generator, device=device)
    keys = torch.randn(num_trials, dim, generator=generator, device=device)
    before = torch.linalg.vecdot(queries, keys)
    after = torch.linalg.vecdot(queries / math.sqrt(dim), keys)
    return torch.var(before, correction=0).item(), torch.var(after, correction=0).item()
