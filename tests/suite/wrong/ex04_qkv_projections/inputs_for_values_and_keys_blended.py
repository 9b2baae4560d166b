# mistakes: values-unprojected, projection-reused
import math
import torch
import torch.nn.functional as F


def project(inputs, W_query, W_key, W_value):
    q = torch.mm(inputs, W_query)
    k = torch.mm(inputs, W_key)
    v = inputs  # <- values-unprojected
    return q, k, v


def attention_score(query, key):
    return torch.sum(query * key)


def context_vector_for_query(query, keys, values):
    scores = torch.mv(keys, query)
    d_k = query.numel()
    attn = F.softmax(scores / math.sqrt(d_k), dim=0)
    return torch.einsum("t,td->d", attn, keys)  # <- projection-reused
