# mistakes: weights-transposed, scale-wrong-width
import torch


def scaled_scores(queries, keys):
    n = keys.shape[0]
    return torch.mm(queries, keys.T) * n**-0.5  # <- scale-wrong-width


def scaled_dot_product_attention(queries, keys, values):
    A = torch.softmax(scaled_scores(queries, keys), dim=-1)
    context = torch.einsum("ij,ic->jc", A, values)  # <- weights-transposed
    return context


def dot_product_variance(dim, num_trials, generator):
    qk = torch.randn(2, num_trials, dim, generator=generator, device=generator.device)
    dot = (qk[0] * qk[1]).sum(dim=1)
    return torch.var(dot), torch.var(dot / (dim**0.5))
