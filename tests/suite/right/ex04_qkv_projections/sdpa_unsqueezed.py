# style: scaled_dot_product_attention on one query with axes put in front
import torch
import torch.nn.functional as F


def project(inputs, W_query, W_key, W_value):
    return tuple(map(inputs.matmul, (W_query, W_key, W_value)))


def attention_score(query, key):
    return query.dot(key)


def context_vector_for_query(query, keys, values):
    result = F.scaled_dot_product_attention(query[None, None, :], keys[None], values[None])
    return result.squeeze(0).squeeze(0)
