"""Projects token by token, sums the score by hand, and adds up the context vector in a loop."""

import math

import torch


def project(inputs, W_query, W_key, W_value):
    queries = []
    keys = []
    values = []
    for token in inputs:
        queries.append(token @ W_query)
        keys.append(token @ W_key)
        values.append(token @ W_value)
    return torch.stack(queries), torch.stack(keys), torch.stack(values)


def attention_score(query, key):
    score = 0.0
    for q, k in zip(query, key, strict=True):
        score = score + q * k
    return score


def context_vector_for_query(query, keys, values):
    scores = []
    for key in keys:
        scores.append(attention_score(query, key) / math.sqrt(len(key)))
    weights = torch.softmax(torch.stack(scores), dim=0)
    context = 0
    for weight, value in zip(weights, values, strict=True):
        context = context + weight * value
    return context
