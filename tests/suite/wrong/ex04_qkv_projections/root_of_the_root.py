# mistakes: none
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    scores = keys @ query / keys.shape[-1] ** 0.25  # <- here
    return torch.softmax(scores, dim=-1) @ values
