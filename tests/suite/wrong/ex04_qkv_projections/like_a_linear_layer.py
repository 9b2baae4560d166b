# mistakes: weights-transposed
import torch
import torch.nn.functional as F


def project(inputs, W_query, W_key, W_value):
    queries = F.linear(inputs, W_query.T)
    keys = F.linear(inputs, W_key.T)
    values = F.linear(inputs, W_value)  # <- weights-transposed
    return queries, keys, values


def attention_score(query, key):
    return query.dot(key)


def context_vector_for_query(query, keys, values):
    scores = keys.matmul(query) / (query.numel() ** 0.5)
    return scores.softmax(0).matmul(values)
