"""Drop some attention weights at random while training, and make up for it.

A model that always leans on the same few tokens learns them by heart. Dropout takes a random share of the
weights away at each training step, so that it has to learn to manage without them. The weights that survive
are made larger, so that on average the sum stays what it was; then nothing needs to change when training is
over and dropout is switched off.

    while training:    0                      with probability p
                       weight / (1 - p)       otherwise, each weight decided on its own
    else:              weight

With p = 0.3 a weight of 0.2 becomes 0 or 0.2 / 0.7 = 0.2857:

    >>> weights = torch.full((100, 5), 0.2)
    >>> dropped = dropout_weights(weights, p=0.3, training=True, generator=torch.Generator().manual_seed(0))
    >>> dropped.unique()
    tensor([0.0000, 0.2857])
    >>> dropout_weights(weights, p=0.3, training=False).unique()
    tensor([0.2000])
"""

import torch


def dropout_weights(
    weights: torch.Tensor, p: float, training: bool, generator: torch.Generator | None = None
) -> torch.Tensor:
    """Inverted dropout by hand: use a random tensor, not nn.Dropout.

    weights: any shape, such as (T, T); the caller's tensor is not to be changed.
    p: the probability of dropping a weight, from 0 (drops none) to 1 (drops all: the result is all 0).
    training: if False, nothing is dropped and nothing is rescaled.
    generator: the source of random numbers, on the weights' device; if given, draw from it alone, as in
        torch.rand(..., generator=generator). None means PyTorch's own.
    Returns the same shape and dtype as weights.
    """
    raise NotImplementedError
