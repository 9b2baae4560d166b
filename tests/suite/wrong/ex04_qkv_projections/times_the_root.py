# mistakes: scale-inverted
import math

import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    bigger = query * math.sqrt(query.shape[-1])  # <- scale-inverted
    weights = torch.softmax(keys @ bigger, dim=-1)
    return weights @ values
