# style: the second function maps the first over the tokens with a generator and torch.stack
import torch
from torch import Tensor


def attention_scores_for_query(query: Tensor, inputs: Tensor) -> Tensor:
    return torch.stack(tuple(token.dot(query) for token in inputs))


def attention_scores(inputs: Tensor) -> Tensor:
    return torch.stack([attention_scores_for_query(query=q, inputs=inputs) for q in inputs.unbind()])
