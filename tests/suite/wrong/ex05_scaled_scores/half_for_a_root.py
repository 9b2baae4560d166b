# mistakes: scale-no-sqrt
import torch


def scaled_scores(queries, keys):
    d_k = keys.shape[-1]
    scores = torch.matmul(queries, keys.transpose(0, 1))
    return scores / (d_k ** 1/2)  # <- scale-no-sqrt


def scaled_dot_product_attention(queries, keys, values):
    weights = scaled_scores(queries, keys).softmax(dim=-1)
    return torch.matmul(weights, values)


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    dots = (q * k).sum(dim=1)
    return dots.var(), (dots / dim ** 0.5).var()
