# style: computes in float64 and casts back; variance of one before from after, as a list
import torch


def scaled_scores(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    exact = queries.double() @ keys.double().T
    exact /= keys.shape[-1] ** 0.5
    return exact.to(queries.dtype)


def scaled_dot_product_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    weights = torch.softmax(scaled_scores(queries, keys), dim=-1, dtype=torch.float64)
    return (weights @ values.double()).to(values.dtype)


def dot_product_variance(dim: int, num_trials: int, generator: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    pairs = torch.randn(num_trials, 2, dim, generator=generator, dtype=torch.float64)
    raw = pairs.prod(dim=1).sum(dim=1)
    stacked = torch.stack((raw, raw / dim**0.5))
    return tuple(stacked.var(dim=1))
