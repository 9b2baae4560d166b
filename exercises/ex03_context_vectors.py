"""Mix the tokens by their weights, and you have self-attention in its simplest form.

A context vector is a token's new description: a blend of all tokens, in which those that matter most to it
count most. First write the blend for one token whose weights are given. Then put scores, weights and blend
together for all tokens; everything you need is in exercises 1 and 2. Nothing here is trained yet.

    context = weights[0] * inputs[0] + ... + weights[T-1] * inputs[T-1]

Three tokens, d = 2. Half of the first and a quarter of each other gives 0.5·4 = 2 and 0.25·4 + 0.25·8 = 3:

    >>> inputs = torch.tensor([[4.0, 0.0], [0.0, 4.0], [0.0, 8.0]])
    >>> context_vector(torch.tensor([0.5, 0.25, 0.25]), inputs)
    tensor([2., 3.])
    >>> context_vectors(torch.tensor([[1.0, 0.0], [0.0, 1.0]]))  # weights: itself 0.7311, the other 0.2689
    tensor([[0.7311, 0.2689],
            [0.2689, 0.7311]])
"""

import torch


def context_vector(weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """Blend the inputs for one query.

    weights: (T,), one weight for each token; they sum to 1.
    inputs: (T, d).
    Returns (d,): the weighted sum of the inputs.
    """
    raise NotImplementedError


def context_vectors(inputs: torch.Tensor) -> torch.Tensor:
    """Simplified self-attention, whole: scores, weights, context vectors.

    inputs: (T, d).
    Returns (T, d): row i is the context vector of token i.
    """
    raise NotImplementedError
