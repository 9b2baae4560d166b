"""Reference: scores become weights that are positive and sum to 1."""

import torch
from torch import Tensor


def softmax(scores: Tensor) -> Tensor:
    """(N,) -> (N,): the largest score is taken off first, so that exp cannot overflow."""
    shifted = scores - scores.max()
    exponentials = torch.exp(shifted)
    weights = exponentials / exponentials.sum()
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
