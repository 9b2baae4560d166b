# mistakes: projection-reused
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[-1] ** 0.5


def scaled_dot_product_attention(queries, keys, values):
    attn = scaled_scores(queries, keys).softmax(-1)
    return torch.einsum("ij,jd->id", attn, keys)  # <- projection-reused


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = torch.linalg.vecdot(q, k)
    return raw.var(), (raw / dim**0.5).var()
