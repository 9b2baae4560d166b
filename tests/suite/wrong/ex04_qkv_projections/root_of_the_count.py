# mistakes: scale-wrong-width
import math

import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    scores = query @ keys.T
    scores = scores / math.sqrt(len(scores))  # <- scale-wrong-width
    return torch.softmax(scores, dim=-1) @ values
