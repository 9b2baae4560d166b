# mistakes: scale-no-sqrt
import torch
import math


def scaled_scores(queries, keys):
    d_k = queries.shape[1]
    scores = torch.einsum("qd,kd->qk", queries, keys)
    return scores / d_k  # <- scale-no-sqrt


def scaled_dot_product_attention(queries, keys, values):
    attn = scaled_scores(queries, keys)
    attn = torch.exp(attn - attn.max(dim=1, keepdim=True).values)
    attn = attn / attn.sum(dim=1, keepdim=True)
    return torch.einsum("qk,kv->qv", attn, values)


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn((num_trials, dim), generator=generator)
    k = torch.randn((num_trials, dim), generator=generator)
    dots = torch.einsum("nd,nd->n", q, k)
    return dots.var(), (dots / math.sqrt(dim)).var()
