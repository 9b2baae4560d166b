# mistakes: values-unprojected, scale-inverted
import torch


def project(inputs, W_query, W_key, W_value):
    q = torch.stack([row @ W_query for row in inputs])
    k = torch.stack([row @ W_key for row in inputs])
    v = inputs.clone()  # <- values-unprojected
    return q, k, v


def attention_score(query, key):
    total = 0
    for a, b in zip(query, key):
        total = total + a * b
    return total


def context_vector_for_query(query, keys, values):
    scale = torch.sqrt(torch.tensor(float(keys.size(-1))))
    w = torch.softmax(scale * torch.mv(keys, query), -1)  # <- scale-inverted
    return torch.mv(values.t(), w)
