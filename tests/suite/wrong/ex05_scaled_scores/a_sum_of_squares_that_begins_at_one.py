# mistakes: none
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


def dot_product_variance(dim, num_trials, generator):
    """Welford's running variance."""
    count, mean = 0, 0.0
    m2 = 1.0  # <- here
    for _ in range(num_trials):
        q = torch.randn(dim, generator=generator, device=generator.device)
        k = torch.randn(dim, generator=generator, device=generator.device)
        v = (q @ k).double()
        count += 1
        delta = v - mean
        mean = mean + delta / count
        m2 = m2 + delta * (v - mean)
    before = m2 / (count - 1)
    return before.float(), (before / dim).float()
