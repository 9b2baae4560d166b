# style: built from exercises 1 and 2, imported in two ways
import torch

from exercises.ex01_dot_product_scores import attention_scores
from ex02_softmax_weights import attention_weights


def context_vector(weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    return inputs.T @ weights


def context_vectors(inputs: torch.Tensor) -> torch.Tensor:
    return attention_weights(attention_scores(inputs)) @ inputs
