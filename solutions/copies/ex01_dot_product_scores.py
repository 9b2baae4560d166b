"""The input as it came: must earn no point."""

from torch import Tensor


def attention_scores_for_query(query: Tensor, inputs: Tensor) -> Tensor:
    return query


def attention_scores(inputs: Tensor) -> Tensor:
    return inputs
