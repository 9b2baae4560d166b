# style: token by token, zip and stack, Python's sum over 0-d tensors
# only: cpu, float32; torch.zeros(n) fixes both
import torch


def project(inputs, W_query, W_key, W_value):
    triples = [(x @ W_query, x @ W_key, x @ W_value) for x in inputs]
    queries, keys, values = (torch.stack(column) for column in zip(*triples))
    return queries, keys, values


def attention_score(query, key):
    return sum(q * k for q, k in zip(query, key))


def context_vector_for_query(query, keys, values):
    scale = len(query) ** -0.5
    scores = torch.stack([attention_score(query, key) * scale for key in keys])
    weights = torch.softmax(scores, dim=0)
    context = torch.zeros(values.shape[1])
    for weight, value in zip(weights, values):
        context += weight * value
    return context
