# mistakes: scale-inverted, softmax-twice, projection-reused
import torch


def scaled_scores(queries, keys):
    d_k = keys.shape[-1]
    return d_k**0.5 * (queries @ keys.T)  # <- scale-inverted


def scaled_dot_product_attention(queries, keys, values):
    weights = torch.softmax(scaled_scores(queries, keys), dim=-1)
    flat = weights.softmax(dim=-1)  # <- softmax-twice
    return flat @ keys  # <- projection-reused


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = (q * k).sum(1)
    return raw.var(), (raw / dim**0.5).var()
