# style: returns a NamedTuple; dot by tensordot
from typing import NamedTuple

import torch
from torch import Tensor


class Projections(NamedTuple):
    queries: Tensor
    keys: Tensor
    values: Tensor


def project(inputs: Tensor, W_query: Tensor, W_key: Tensor, W_value: Tensor) -> Projections:
    return Projections(values=inputs @ W_value, keys=inputs @ W_key, queries=inputs @ W_query)


def attention_score(query: Tensor, key: Tensor) -> Tensor:
    return torch.tensordot(query, key, dims=1)


def context_vector_for_query(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    weights = torch.softmax(keys @ query / keys.shape[1] ** 0.5, dim=0)
    return weights @ values
