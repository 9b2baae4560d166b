# mistakes: scale-no-sqrt
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    _, d_k = keys.shape
    e = torch.exp(keys @ query / d_k)  # <- scale-no-sqrt
    return (e / e.sum()) @ values
