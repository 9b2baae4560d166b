# mistakes: scale-no-sqrt
import torch


def scaled_scores(queries, keys):
    return queries @ keys.T * keys.shape[-1] ** -0.5


def scaled_dot_product_attention(queries, keys, values):
    return torch.nn.functional.scaled_dot_product_attention(queries, keys, values)


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn((num_trials, dim), generator=generator, device=generator.device)
    k = torch.randn((num_trials, dim), generator=generator, device=generator.device)
    products = (q * k).sum(dim=1)
    smaller = products / dim  # <- scale-no-sqrt
    return torch.var(products), torch.var(smaller)
