"""The score of one query is the general case of one function, and the matrix is that function on all queries.
A demo runs under import."""

import torch


def _scores(queries: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    return torch.matmul(inputs, queries.transpose(0, -1)).transpose(0, -1)


def attention_scores_for_query(query: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    return _scores(query, inputs)


def attention_scores(inputs: torch.Tensor) -> torch.Tensor:
    return _scores(inputs, inputs)


inputs = torch.tensor([[0.42, 0.15, 0.89], [0.78, 0.33, 0.21], [0.12, 0.44, 0.67]])
print("scores of token 1:", attention_scores_for_query(inputs[1], inputs))
assert torch.allclose(attention_scores(inputs)[1], attention_scores_for_query(inputs[1], inputs))
