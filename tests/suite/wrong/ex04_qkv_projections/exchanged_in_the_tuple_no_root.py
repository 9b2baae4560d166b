# mistakes: query-key-swapped, scale-no-sqrt
import torch


def project(inputs, W_query, W_key, W_value):
    k, q, v = (torch.einsum("td,de->te", inputs, W) for W in (W_query, W_key, W_value))  # <- query-key-swapped
    return q, k, v


def attention_score(query, key):
    return torch.sum(query * key)


def context_vector_for_query(query, keys, values):
    d_k = query.numel()
    s = torch.stack([attention_score(query, k) for k in keys])
    a = torch.softmax(s / d_k, dim=0)  # <- scale-no-sqrt
    return torch.einsum("t,te->e", a, values)
