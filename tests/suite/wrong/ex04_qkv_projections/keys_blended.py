# mistakes: projection-reused
import torch


def project(inputs, W_query, W_key, W_value):
    return tuple(inputs @ W for W in (W_query, W_key, W_value))


def attention_score(query, key):
    return (query * key).sum()


def context_vector_for_query(query, keys, values):
    d_k = keys.shape[-1]
    w = torch.softmax(keys @ query / d_k**0.5, dim=-1)
    return torch.einsum("t,td->d", w, keys)  # <- projection-reused
