# mistakes: softmax-twice
import torch


def project(inputs, W_query, W_key, W_value):
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    return queries, keys, values


def attention_score(query, key):
    return torch.dot(query, key)


def context_vector_for_query(query, keys, values):
    attn_scores_2 = torch.softmax(query @ keys.T, dim=-1)
    d_k = keys.shape[1]
    attn_weights_2 = torch.softmax(attn_scores_2 / d_k**0.5, dim=-1)  # <- softmax-twice
    context_vec_2 = attn_weights_2 @ values
    return context_vec_2
