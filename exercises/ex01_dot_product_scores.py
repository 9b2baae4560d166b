"""Score how strongly tokens attend to one another, with nothing but dot products.

Each token is a vector. The dot product of two vectors is large when they point the same way, so it serves as
a first measure of how much one token should look at another. The token that looks is called the query. Every
attention layer you will meet, up to the largest models, begins with these scores.

    scores[j] = query · inputs[j]                   one query: T scores
    scores[i, j] = inputs[i] · inputs[j]            every token as the query: T rows of T scores

Three tokens, d = 2. The second one is the query, and 1·0 + 1·2 = 2 is its score for the third:

    >>> inputs = torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    >>> attention_scores_for_query(inputs[1], inputs)
    tensor([1., 2., 2.])
    >>> attention_scores(inputs)
    tensor([[1., 1., 0.],
            [1., 2., 2.],
            [0., 2., 4.]])
"""

import torch


def attention_scores_for_query(query: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """Score one query against every input.

    query: (d,), one token.
    inputs: (T, d), T tokens of d numbers each.
    Returns (T,): the dot product of the query with each input.
    """
    raise NotImplementedError


def attention_scores(inputs: torch.Tensor) -> torch.Tensor:
    """Score every token against every token.

    inputs: (T, d).
    Returns (T, T): row i holds the scores of token i as the query. It can be done without a loop.
    """
    raise NotImplementedError
