"""Zeros of the right shape: must earn no point."""

from torch import Tensor


def softmax(scores: Tensor) -> Tensor:
    return scores.new_zeros(scores.shape)


def attention_weights(scores: Tensor) -> Tensor:
    return scores.new_zeros(scores.shape)


def sharpened_weights(scores: Tensor, factor: float) -> Tensor:
    return scores.new_zeros(scores.shape)
