"""Reference: scaled dot-product attention, and why it is scaled."""

import torch
from torch import Tensor


def scaled_scores(queries: Tensor, keys: Tensor) -> Tensor:
    """(T, d_k), (T, d_k) -> (T, T): queries along the rows, keys along the columns."""
    scores = queries @ keys.T
    scaled: Tensor = scores / keys.shape[-1] ** 0.5
    return scaled


def scaled_dot_product_attention(queries: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """(T, d_k), (T, d_k), (T, d_v) -> (T, d_v)."""
    scaled = scaled_scores(queries, keys)
    weights = torch.softmax(scaled, dim=-1)
    context = weights @ values
    return context


def dot_product_variance(dim: int, num_trials: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """The variance of q·k (about dim) and of q·k / sqrt(dim) (about 1) over random normal pairs."""
    queries = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    keys = torch.randn(num_trials, dim, generator=generator, device=generator.device)
    products = (queries * keys).sum(dim=-1)
    scaled_products = products / dim**0.5
    before = products.var()
    after = scaled_products.var()
    return before, after
