"""Built from the two modules before, imported by their bare names."""

from ex01_dot_product_scores import attention_scores
from ex02_softmax_weights import attention_weights, softmax


def context_vector(weights, inputs):
    return (weights.unsqueeze(-1) * inputs).sum(dim=0)


def context_vectors(inputs):
    return attention_weights(attention_scores(inputs)) @ inputs


def context_vectors_one_by_one(inputs):
    """A second way, not used: the same, row by row."""
    return [context_vector(softmax(row), inputs) for row in attention_scores(inputs)]
