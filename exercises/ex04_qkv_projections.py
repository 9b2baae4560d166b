"""Give every token three roles: a query that asks, a key that is compared, a value that is passed on.

So far the inputs were compared as they came, and there was nothing to learn. Three weight matrices change
that: training them teaches the model what to look for, what to be found by, and what to say. Project the
inputs, score one query against one key, then work out one query's context vector from start to end. One thing
is new there: the scores are divided by sqrt(d_k) before softmax, d_k being the width of a key. Exercise 5
shows why.

    queries = inputs W_query        keys = inputs W_key        values = inputs W_value
    context = softmax(scores / sqrt(d_k)) values,              where scores[j] = query · keys[j]

Two tokens, d_in = 3, d_out = 2:

    >>> inputs = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
    >>> W_query = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> W_key = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> W_value = torch.tensor([[1.0, 1.0], [0.0, 2.0], [3.0, 0.0]])
    >>> queries, keys, values = project(inputs, W_query, W_key, W_value)
    >>> values
    tensor([[7., 1.],
            [3., 2.]])
    >>> attention_score(queries[1], keys[0])  # [0, 1] · [0, 2]
    tensor(2.)
    >>> context_vector_for_query(queries[1], keys, values)  # scores [2, 1], weights [0.6698, 0.3302]
    tensor([5.6790, 1.3302])
"""

import torch


def project(
    inputs: torch.Tensor, W_query: torch.Tensor, W_key: torch.Tensor, W_value: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Project every input into its query, its key and its value.

    inputs: (T, d_in).
    W_query, W_key, W_value: (d_in, d_out) each.
    Returns (queries, keys, values), in this order: (T, d_out) each.
    """
    raise NotImplementedError


def attention_score(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """Score one query against one key, unscaled.

    query: (d,).
    key: (d,).
    Returns a tensor of shape (), that is, a single number.
    """
    raise NotImplementedError


def context_vector_for_query(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Scaled dot-product attention for one query.

    query: (d_k,).
    keys: (T, d_k).
    values: (T, d_v); d_v may differ from d_k.
    Returns (d_v,): the context vector.
    """
    raise NotImplementedError
