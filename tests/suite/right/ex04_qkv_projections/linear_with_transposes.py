# style: F.linear, whose weights stand on their side; squeezed matrix products; type aliases and long names
from __future__ import annotations

from typing import TypeAlias

import torch
from torch.nn import functional

VectorOfOneToken: TypeAlias = torch.Tensor
MatrixOfAllTokens: TypeAlias = torch.Tensor


def project(
    inputs: MatrixOfAllTokens, W_query: torch.Tensor, W_key: torch.Tensor, W_value: torch.Tensor
) -> tuple[MatrixOfAllTokens, MatrixOfAllTokens, MatrixOfAllTokens]:
    return (
        functional.linear(inputs, W_query.swapaxes(0, 1)),
        functional.linear(inputs, W_key.swapaxes(0, 1)),
        functional.linear(inputs, W_value.swapaxes(0, 1)),
    )


def attention_score(query: VectorOfOneToken, key: VectorOfOneToken) -> torch.Tensor:
    query_as_a_row_matrix = query.reshape(1, -1)
    key_as_a_column_matrix = key.reshape(-1, 1)
    return (query_as_a_row_matrix @ key_as_a_column_matrix).squeeze()


def context_vector_for_query(
    query: VectorOfOneToken, keys: MatrixOfAllTokens, values: MatrixOfAllTokens
) -> VectorOfOneToken:
    width_of_one_key = keys.shape[-1]
    scores_of_the_query_scaled = functional.linear(query, keys).div(width_of_one_key**0.5)
    return functional.linear(scores_of_the_query_scaled.softmax(-1), values.T)
