# mistakes: query-key-swapped
import torch


def project(inputs, W_query, W_key, W_value):
    keys = torch.einsum("ti,io->to", inputs, W_key)
    queries = torch.einsum("ti,io->to", inputs, W_query)
    values = torch.einsum("ti,io->to", inputs, W_value)
    return keys, queries, values  # <- query-key-swapped


def attention_score(query, key):
    return torch.inner(query, key)


def context_vector_for_query(query, keys, values):
    scale = keys.shape[1] ** -0.5
    return torch.softmax(scale * (keys @ query), dim=0) @ values
