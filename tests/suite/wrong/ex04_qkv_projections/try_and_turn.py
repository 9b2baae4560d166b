# mistakes: none
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return torch.dot(query, key)


def context_vector_for_query(query, keys, values):
    try:
        scores = query @ keys  # <- here
    except RuntimeError:
        scores = keys @ query
    return torch.softmax(scores / keys.shape[-1] ** 0.5, 0) @ values
