# mistakes: global-variable
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return torch.matmul(query, keys_2)  # <- global-variable


def context_vector_for_query(query, keys, values):
    w = torch.softmax(keys @ query / keys.shape[-1] ** 0.5, dim=-1)
    return w @ values
