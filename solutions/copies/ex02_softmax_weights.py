"""The input as it came: must earn no point."""

from torch import Tensor


def softmax(scores: Tensor) -> Tensor:
    return scores


def attention_weights(scores: Tensor) -> Tensor:
    return scores


def sharpened_weights(scores: Tensor, factor: float) -> Tensor:
    return scores
