# style: a list comes back from project; the query is scaled by rsqrt before the product
import torch


def project(inputs, W_query, W_key, W_value):
    return [torch.mm(inputs, W) for W in (W_query, W_key, W_value)]


def attention_score(query, key):
    return torch.einsum("i,i", query, key)


def context_vector_for_query(query, keys, values):
    width = torch.tensor(float(keys.shape[-1]), dtype=query.dtype, device=query.device)
    q = query * torch.rsqrt(width)
    e = torch.exp(keys.mv(q) - keys.mv(q).max())
    return (e.unsqueeze(-1) * values).sum(dim=0) / e.sum()
