# mistakes: softmax-wrong-axis
import torch


def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query, inputs @ W_key, inputs @ W_value


def attention_score(query, key):
    return query @ key


def context_vector_for_query(query, keys, values):
    row = query.unsqueeze(0) @ keys.T / keys.shape[-1] ** 0.5
    attn = torch.softmax(row, dim=0)  # <- softmax-wrong-axis
    return (attn @ values).squeeze(0)
