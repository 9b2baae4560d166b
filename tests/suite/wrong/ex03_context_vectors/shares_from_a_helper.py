# mistakes: softmax-wrong-axis
from torch import Tensor


def shares(tokens: Tensor) -> Tensor:
    similar = tokens @ tokens.T
    return similar.softmax(dim=0)  # <- softmax-wrong-axis


def context_vector(weights: Tensor, inputs: Tensor) -> Tensor:
    return (weights[:, None] * inputs).sum(0)


def context_vectors(inputs: Tensor) -> Tensor:
    return shares(inputs) @ inputs
