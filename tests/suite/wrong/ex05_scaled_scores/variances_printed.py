# mistakes: returns-none
import torch


def scaled_scores(queries, keys):
    return (queries / keys.shape[-1] ** 0.5) @ keys.T


def scaled_dot_product_attention(queries, keys, values):
    e = torch.exp(scaled_scores(queries, keys))
    return (e / e.sum(1, keepdim=True)) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    before = (q * k).sum(1).var()
    after = ((q * k).sum(1) / dim**0.5).var()
    print(f"before {before:.2f}, after {after:.2f}")  # <- returns-none
