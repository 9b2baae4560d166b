# mistakes: scale-no-sqrt, projection-reused
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    logits = torch.mv(keys, query)
    logits = logits / query.shape[0]  # <- scale-no-sqrt
    weights = torch.softmax(logits, dim=0)
    return torch.mv(keys.T, weights)  # <- projection-reused
