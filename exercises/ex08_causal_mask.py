"""Hide the future: a token may look at itself and at what came before it, and at nothing else.

A language model learns to predict the next token, so it must not see that token while it does. Build the mask
that marks the forbidden pairs, put minus infinity into the scores there, and let softmax do the rest:
exp(-inf) is exactly 0, and each row still sums to 1.

    mask[i, j] = (j > i)                            query i, key j: True means forbidden
    weights = softmax(scores / sqrt(d_k), with -inf where the mask is True)

Three tokens, all scores equal, d_k = 4. Each token shares its attention evenly among those it may see:

    >>> mask = causal_mask(3)
    >>> mask
    tensor([[False,  True,  True],
            [False, False,  True],
            [False, False, False]])
    >>> mask_scores(torch.full((3, 3), 2.0), mask)
    tensor([[2., -inf, -inf],
            [2., 2., -inf],
            [2., 2., 2.]])
    >>> causal_attention_weights(torch.full((3, 3), 2.0), d_k=4)
    tensor([[1.0000, 0.0000, 0.0000],
            [0.5000, 0.5000, 0.0000],
            [0.3333, 0.3333, 0.3333]])
"""

import torch


def causal_mask(context_length: int) -> torch.Tensor:
    """Mark every pair in which the key comes after the query.

    context_length: the number of tokens, T.
    Returns bool (T, T): True where attention is forbidden.
    """
    raise NotImplementedError


def mask_scores(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Put minus infinity where the mask forbids attention.

    scores: (..., T, T), any number of leading axes; the caller's tensor is not to be changed.
    mask: bool (T, T), True where attention is forbidden.
    Returns (..., T, T): the scores, with -inf where the mask is True.
    """
    raise NotImplementedError


def causal_attention_weights(scores: torch.Tensor, d_k: int) -> torch.Tensor:
    """Turn raw scores into causal attention weights.

    scores: (..., T, T), not yet scaled; queries along the rows, keys along the columns.
    d_k: the width of a key, for the scale.
    Returns (..., T, T): 0 for every future token, and each row sums to 1.
    """
    raise NotImplementedError
