# mistakes: none
import torch


def project(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    return (queries, keys, values)


def attention_score(query, key):
    return (query @ key).squeeze()


def context_vector_for_query(query, keys, values):
    scaled = (query @ keys.T) / keys.shape[1] ** 0.5
    gate = torch.sigmoid(scaled)  # <- here
    return gate @ values
