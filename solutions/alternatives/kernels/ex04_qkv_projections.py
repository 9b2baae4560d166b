"""F.linear for the projections, vdot for the score, and the fused kernel with a sequence of one query."""

import torch
import torch.nn.functional as F


def project(inputs, W_query, W_key, W_value):
    return F.linear(inputs, W_query.mT), F.linear(inputs, W_key.mT), F.linear(inputs, W_value.mT)


def attention_score(query, key):
    return torch.vdot(query, key)


def context_vector_for_query(query, keys, values):
    return F.scaled_dot_product_attention(query[None, None], keys[None], values[None])[0, 0]
