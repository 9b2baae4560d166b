"""Write scaled dot-product attention for all queries at once, and measure why it is scaled.

A dot product of two standard normal vectors with d_k entries has a variance of about d_k: the wider the keys,
the larger the scores. Exercise 2 showed what large scores do to softmax: nearly all the weight goes to one
token, and almost no gradient is left for the others. Dividing by sqrt(d_k) brings the variance back to 1 at
any width. Write the scaled scores, then the attention built on them, then see the variance with your own
eyes.

    Attention(Q, K, V) = softmax(Q Kᵀ / sqrt(d_k)) V

Two queries, two keys, d_k = 4, so the scores are halved:

    >>> queries = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]])
    >>> keys = torch.tensor([[2.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]])
    >>> scaled_scores(queries, keys)
    tensor([[2., 1.],
            [0., 1.]])
    >>> scaled_dot_product_attention(queries, keys, torch.tensor([[10.0], [20.0]]))  # (2, 1): d_v = 1
    tensor([[12.6894],
            [17.3106]])
    >>> before, after = dot_product_variance(64, 1000, torch.Generator().manual_seed(0))
    >>> bool(54 < before < 74), bool(0.8 < after < 1.2)  # before is near 64, after near 1
    (True, True)
"""

import torch


def scaled_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Score every query against every key and divide by sqrt(d_k).

    queries: (T, d_k).
    keys: (T, d_k).
    Returns (T, T): row i belongs to query i, column j to key j.
    """
    raise NotImplementedError


def scaled_dot_product_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Scaled dot-product attention: the formula above, whole.

    queries: (T, d_k).
    keys: (T, d_k).
    values: (T, d_v).
    Returns (T, d_v): one context vector for each query.
    """
    raise NotImplementedError


def dot_product_variance(dim: int, num_trials: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Measure the variance of dot products before and after scaling.

    dim: the number of entries of each vector.
    num_trials: how many pairs (q, k) to draw, every entry from torch.randn(..., generator=generator).
    generator: the source of the random numbers, so that a run can be repeated.
    Returns (before, after): the variance over all pairs of q · k, and of q · k / sqrt(dim), a number each.
    """
    raise NotImplementedError
