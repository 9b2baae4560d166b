# mistakes: projection-reused
import torch


def project(inputs, W_query, W_key, W_value):
    q = torch.matmul(inputs, W_query)
    k = torch.matmul(inputs, W_query)  # <- projection-reused
    v = torch.matmul(inputs, W_value)
    return q, k, v


def attention_score(query, key):
    return torch.dot(query, key)


def context_vector_for_query(query, keys, values):
    s = torch.mv(keys, query) / keys.size(1) ** 0.5
    return torch.softmax(s, 0) @ values
