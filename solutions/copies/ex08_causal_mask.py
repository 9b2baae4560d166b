"""The input as it came: must earn no point."""

from torch import Tensor


def causal_mask(context_length: int) -> int:
    return context_length


def mask_scores(scores: Tensor, mask: Tensor) -> Tensor:
    return scores


def causal_attention_weights(scores: Tensor, d_k: int) -> Tensor:
    return scores
