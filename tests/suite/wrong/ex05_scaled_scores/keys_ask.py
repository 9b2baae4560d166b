# mistakes: query-key-swapped
import torch


def scaled_scores(queries, keys):
    d_k = queries.shape[-1]
    rows = []
    for k in keys:
        rows.append(queries @ k)  # <- query-key-swapped
    return torch.stack(rows) / d_k**0.5


def scaled_dot_product_attention(queries, keys, values):
    s = queries @ keys.T / keys.shape[-1] ** 0.5
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    return (e / e.sum(-1, keepdim=True)) @ values


def dot_product_variance(dim, num_trials, generator):
    q, k = torch.randn(2, num_trials, dim, generator=generator, device=generator.device)
    s = (q * k).sum(-1)
    return s.var(), s.div(dim**0.5).var()
