"""Reference: simplified self-attention, without trainable weights."""

import torch
from torch import Tensor


def context_vector(weights: Tensor, inputs: Tensor) -> Tensor:
    """(T,), (T, d) -> (d,): the weighted sum of the inputs."""
    context = weights @ inputs
    return context


def context_vectors(inputs: Tensor) -> Tensor:
    """(T, d) -> (T, d): row i is the context vector of token i."""
    scores = inputs @ inputs.T
    weights = torch.softmax(scores, dim=-1)
    contexts = weights @ inputs
    return contexts
