# mistakes: query-key-swapped, scale-wrong-width, softmax-twice
import torch


def project(inputs, W_query, W_key, W_value):
    queries = inputs @ W_key  # <- query-key-swapped
    keys = inputs @ W_query
    values = inputs @ W_value
    return queries, keys, values


def attention_score(query, key):
    return (query * key).sum(-1)


def context_vector_for_query(query, keys, values):
    scaled = torch.einsum("d,td->t", query, keys) / values.shape[-1] ** 0.5  # <- scale-wrong-width
    first = scaled.softmax(0)
    second = first.softmax(0)  # <- softmax-twice
    return torch.einsum("t,tv->v", second, values)
