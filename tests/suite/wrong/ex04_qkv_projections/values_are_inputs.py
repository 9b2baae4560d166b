# mistakes: values-unprojected
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs  # <- values-unprojected


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    return torch.nn.functional.scaled_dot_product_attention(query[None], keys, values)[0]
