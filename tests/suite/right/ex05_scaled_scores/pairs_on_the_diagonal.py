# style: every query with every key, of which the diagonal is kept; a scale in place
import torch
def scaled_scores(queries, keys):
    s = torch.empty(queries.shape[0], keys.shape[0], dtype=queries.dtype, device=queries.device)
    torch.mm(queries, keys.T, out=s)
    s /= keys.shape[1] ** 0.5
    return s
def scaled_dot_product_attention(queries, keys, values):
    return torch.exp(torch.log_softmax(scaled_scores(queries, keys), -1)) @ values
def dot_product_variance(dim, num_trials, generator):
    q = torch.randn(num_trials, dim, generator=generator)
    k = torch.randn(num_trials, dim, generator=generator)
    d = torch.diagonal(q @ k.T)
    e = torch.diagonal(scaled_scores(q, k))
    return ((d - d.mean()) ** 2).mean(), ((e - e.mean()) ** 2).mean()
