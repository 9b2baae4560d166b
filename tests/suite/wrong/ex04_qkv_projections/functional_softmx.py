# mistakes: api-misspelt
import torch
import torch.nn.functional as F


def project(inputs, W_query, W_key, W_value):
    return torch.matmul(inputs, W_query), torch.matmul(inputs, W_key), torch.matmul(inputs, W_value)


def attention_score(query, key):
    return torch.dot(query, key)


def context_vector_for_query(query, keys, values):
    scores = torch.stack([attention_score(query, k) for k in keys])
    scores = scores / keys.shape[1] ** 0.5
    weights = F.softmx(scores, dim=0)  # <- api-misspelt
    return weights @ values
