"""Reference: queries, keys and values, and one query's attention worked through with them."""

import torch
from torch import Tensor


def project(inputs: Tensor, W_query: Tensor, W_key: Tensor, W_value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """(T, d_in) and three times (d_in, d_out) -> three times (T, d_out)."""
    queries = inputs @ W_query
    keys = inputs @ W_key
    values = inputs @ W_value
    return queries, keys, values


def attention_score(query: Tensor, key: Tensor) -> Tensor:
    """(d,), (d,) -> (): one query against one key."""
    score = query @ key
    return score


def context_vector_for_query(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """(d_k,), (T, d_k), (T, d_v) -> (d_v,): scaled dot-product attention for one query."""
    scores = keys @ query
    scaled = scores / keys.shape[-1] ** 0.5
    weights = torch.softmax(scaled, dim=-1)
    context = weights @ values
    return context
