# style: variances as numpy's arrays without axes
import torch


def scaled_scores(queries, keys):
    return torch.matmul(queries, keys.t()).div(keys.size(-1) ** 0.5)


def scaled_dot_product_attention(queries, keys, values):
    return torch.matmul(torch.softmax(scaled_scores(queries, keys), dim=-1), values)


def dot_product_variance(dim, num_trials, generator):
    queries = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    keys = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    products = torch.einsum("nd,nd->n", queries, keys)
    return products.var().cpu().numpy(), (products / dim**0.5).var().cpu().numpy()
