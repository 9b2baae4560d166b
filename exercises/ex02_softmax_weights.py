"""Turn scores into weights: positive numbers that sum to 1.

Scores can be any numbers, which makes them hard to compare and hard to train with. Softmax turns them into
shares of attention, and the highest score still gets the largest share. Write it yourself here, from
`torch.exp`; from then on you may use PyTorch's. Then see what happens to the shares when all scores grow: you
will need to remember it in exercise 5.

    softmax(z)[i] = exp(z[i]) / (exp(z[0]) + ... + exp(z[N-1]))
    softmax(z) = softmax(z - c)                     for any one number c

Yours has to stay finite for scores up to 10,000 and down to -10,000, although exp(10000) is inf: the second
line is there to help. Three scores, whose exponentials are 1, 2.7183 and 7.3891, together 11.1073:

    >>> softmax(torch.tensor([0.0, 1.0, 2.0]))
    tensor([0.0900, 0.2447, 0.6652])
    >>> softmax(torch.tensor([10000.0, 10000.0]))
    tensor([0.5000, 0.5000])
    >>> attention_weights(torch.tensor([[0.0, 0.0], [0.0, 2.0]]))
    tensor([[0.5000, 0.5000],
            [0.1192, 0.8808]])
    >>> sharpened_weights(torch.tensor([0.0, 1.0, 2.0]), 3.0)
    tensor([0.0024, 0.0473, 0.9503])
"""

import torch


def softmax(scores: torch.Tensor) -> torch.Tensor:
    """Softmax by hand: use torch.exp, not torch.softmax.

    scores: (N,).
    Returns (N,): the weights, which sum to 1 and are finite for scores between -10,000 and 10,000.
    """
    raise NotImplementedError


def attention_weights(scores: torch.Tensor) -> torch.Tensor:
    """Softmax for every query at once.

    scores: (T, T), row i holding the scores of query i over all tokens.
    Returns (T, T): each row sums to 1.
    """
    raise NotImplementedError


def sharpened_weights(scores: torch.Tensor, factor: float) -> torch.Tensor:
    """Softmax of the scores after they are multiplied by a factor.

    scores: (N,).
    factor: a number; above 1 it moves the scores further apart.
    Returns (N,): the weights, which sum to 1.
    """
    raise NotImplementedError
