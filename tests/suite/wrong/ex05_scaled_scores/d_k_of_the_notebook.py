# mistakes: global-variable
import torch

d_k = 2


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    attn_scores = queries @ keys.T
    attn_weights = torch.softmax(attn_scores / d_k**0.5, dim=-1)  # <- global-variable
    return attn_weights @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = (q * k).sum(1)
    return raw.var(), (raw / dim**0.5).var()
