# mistakes: scale-no-sqrt
import torch


def scaled_scores(queries, keys):
    d_k = keys.size(-1)
    return torch.mm(queries, keys.t()).div(d_k)  # <- scale-no-sqrt


def scaled_dot_product_attention(queries, keys, values):
    weights = torch.nn.functional.softmax(scaled_scores(queries, keys), dim=1)
    return torch.mm(weights, values)


def dot_product_variance(dim, num_trials, generator):
    dots = []
    for _ in range(num_trials):
        q = torch.randn(dim, generator=generator, device=generator.device)
        k = torch.randn(dim, generator=generator, device=generator.device)
        dots.append(torch.dot(q, k))
    dots = torch.stack(dots)
    return dots.var(), dots.var() / dim
