# mistakes: scale-wrong-width
import math

import torch
import torch.nn.functional as F


def project(inputs, W_query, W_key, W_value):
    return inputs.matmul(W_query), inputs.matmul(W_key), inputs.matmul(W_value)


def attention_score(query, key):
    return query.dot(key)


def context_vector_for_query(query, keys, values):
    T, d = values.shape
    logits = keys.mv(query)
    probs = F.softmax(logits / math.sqrt(d), dim=-1)  # <- scale-wrong-width
    return probs @ values
