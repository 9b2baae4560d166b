# mistakes: softmax-wrong-axis
import torch


def scaled_scores(queries, keys):
    d_k = keys.shape[-1]
    return torch.matmul(queries, keys.T) / torch.tensor(d_k, device=keys.device).sqrt()


def scaled_dot_product_attention(queries, keys, values):
    powers = torch.exp(scaled_scores(queries, keys))
    weights = powers / powers.sum(0)  # <- softmax-wrong-axis
    return weights @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    raw = (q * k).sum(1)
    return raw.var(), (raw / dim**0.5).var()
