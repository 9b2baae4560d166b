# mistakes: projection-reused, scale-missing
import torch


def project(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_key  # <- projection-reused
    return queries, keys, values


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    weights = torch.softmax(query @ keys.mT, dim=-1)  # <- scale-missing
    return weights @ values
