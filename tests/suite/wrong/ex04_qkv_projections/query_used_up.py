# mistakes: input-mutated
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    d_k = query.shape[0]
    scores = torch.empty(keys.shape[0], dtype=keys.dtype, device=keys.device)
    for i in range(keys.shape[0]):
        scores[i] = query.mul_(keys[i]).sum()  # <- input-mutated
    return torch.softmax(scores / d_k**0.5, dim=0) @ values
