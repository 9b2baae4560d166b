"""Reference: how strongly tokens attend to one another, as dot products."""

from torch import Tensor


def attention_scores_for_query(query: Tensor, inputs: Tensor) -> Tensor:
    """(d,), (T, d) -> (T,): the dot product of the query with every input."""
    scores = inputs @ query
    return scores


def attention_scores(inputs: Tensor) -> Tensor:
    """(T, d) -> (T, T): row i holds the scores of token i as the query."""
    scores = inputs @ inputs.T
    return scores
