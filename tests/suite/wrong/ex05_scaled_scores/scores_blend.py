# mistakes: softmax-missing
import torch


def scaled_scores(queries, keys):
    return (queries @ keys.T).mul(keys.shape[-1] ** -0.5)


def scaled_dot_product_attention(queries, keys, values):
    attn = scaled_scores(queries, keys)
    return torch.stack([(row[:, None] * values).sum(0) for row in attn])  # <- softmax-missing


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = torch.einsum("nd,nd->n", q, k)
    return raw.var(), (raw / dim**0.5).var()
