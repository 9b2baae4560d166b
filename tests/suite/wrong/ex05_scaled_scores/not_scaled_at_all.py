# mistakes: scale-missing
import torch


def scaled_scores(queries, keys):
    return torch.einsum("id,jd->ij", queries, keys)  # <- scale-missing


def scaled_dot_product_attention(queries, keys, values):
    d_k = keys.shape[-1]
    omega = torch.einsum("id,jd->ij", queries, keys)
    return torch.softmax(omega / d_k**0.5, dim=-1) @ values


def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    k = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    dots = torch.einsum("nd,nd->n", q, k)
    return dots.var(), (dots * dim**-0.5).var()
