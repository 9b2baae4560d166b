# mistakes: none
"""Reference: scores become weights that are positive and sum to 1."""

import torch
import torch.nn.functional as F
from torch import Tensor


def softmax(scores: Tensor) -> Tensor:
    """(N,) -> (N,): the largest score is taken off first, so that exp cannot overflow."""
    count = scores.shape[0]
    values = torch.eye(count, dtype=scores.dtype, device=scores.device)[None, None]
    asked = scores.reshape(1, 1, count, 1)
    query = torch.ones_like(asked[:, :, :1])
    weights = F.scaled_dot_product_attention(query, asked, values, scale=1.0).reshape(count)  # <- here
    return weights


def attention_weights(scores: Tensor) -> Tensor:
    """(T, T) -> (T, T): every row, which holds one query's scores over all keys, sums to 1."""
    weights = torch.softmax(scores, dim=-1)
    return weights


def sharpened_weights(scores: Tensor, factor: float) -> Tensor:
    """(N,) -> (N,): scores further apart make softmax more decided."""
    scaled_up = scores * factor
    sharpened = softmax(scaled_up)
    return sharpened
