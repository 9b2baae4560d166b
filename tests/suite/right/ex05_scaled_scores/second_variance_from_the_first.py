# style: both vectors of a pair from one row, and the second variance is the first divided by the width
import torch
def scaled_scores(queries, keys):
    return queries @ keys.T / keys.shape[1] ** 0.5
def scaled_dot_product_attention(queries, keys, values):
    return torch.softmax(scaled_scores(queries, keys), 1) @ values
def dot_product_variance(dim, num_trials, generator):
    z = torch.randn(num_trials, 2 * dim, generator=generator, device=generator.device)
    p = (z[:, :dim] * z[:, dim:]).sum(1)
    before = (p ** 2).mean() - p.mean() ** 2
    return before, before / dim
