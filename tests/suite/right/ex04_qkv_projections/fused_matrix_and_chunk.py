# style: one wide product cut by chunk; math.sqrt
import math

import torch


def project(inputs, W_query, W_key, W_value):
    together = torch.cat((W_query, W_key, W_value), dim=1)
    return torch.chunk(inputs @ together, 3, dim=-1)


def attention_score(query, key):
    return (query * key).sum()


def context_vector_for_query(query, keys, values):
    d_k = keys.size(-1)
    weights = torch.nn.functional.softmax((query @ keys.T) / math.sqrt(d_k), dim=-1)
    return torch.matmul(weights, values)
