# style: rsqrt of a tensor, variances by their moments
import torch


def scaled_scores(queries, keys):
    inv = torch.rsqrt(torch.tensor(queries.shape[-1], dtype=queries.dtype, device=queries.device))
    return torch.inner(queries * inv, keys)


def scaled_dot_product_attention(queries, keys, values):
    logits = torch.stack([(keys * q).sum(-1) for q in queries]) / keys.shape[-1] ** 0.5
    return torch.stack([w @ values for w in logits.softmax(-1).unbind()])


def dot_product_variance(dim, num_trials, generator):
    q, k = torch.randn(2, num_trials, dim, generator=generator, device=generator.device).double()
    dots = torch.linalg.vecdot(q, k)
    before = dots.square().mean() - dots.mean().square()
    return before.float(), (before / dim).float()
