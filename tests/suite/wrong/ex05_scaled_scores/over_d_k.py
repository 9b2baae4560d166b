# mistakes: scale-no-sqrt
import torch


def scaled_scores(queries, keys):
    """softmax(QK^T / sqrt(d_k)) V, the part within the brackets"""
    d_k = keys.size(-1)
    out = torch.empty(len(queries), len(keys), dtype=queries.dtype, device=queries.device)
    for i in range(len(queries)):
        for j in range(len(keys)):
            out[i, j] = queries[i].dot(keys[j]) / d_k  # <- scale-no-sqrt
    return out


def scaled_dot_product_attention(queries, keys, values):
    attention = scaled_scores(queries, keys).softmax(dim=1)
    return attention.matmul(values)


def dot_product_variance(dim, num_trials, generator):
    dots = []
    for _ in range(num_trials):
        q = torch.randn(dim, generator=generator, device=generator.device)
        k = torch.randn(dim, generator=generator, device=generator.device)
        dots.append(q @ k)
    dots = torch.stack(dots)
    return dots.var(), (dots / dim**0.5).var()
