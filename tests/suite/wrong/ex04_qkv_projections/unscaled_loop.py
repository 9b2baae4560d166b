# mistakes: scale-missing
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return torch.sum(query * key)


def context_vector_for_query(query, keys, values):
    attn_scores_2 = torch.stack([attention_score(query, k) for k in keys])
    attn_weights_2 = torch.softmax(attn_scores_2, dim=-1)  # <- scale-missing
    context_vec_2 = attn_weights_2 @ values
    return context_vec_2
