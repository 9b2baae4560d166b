"""A small class of our own does the dropout, as a dataclass with the annotations left as strings; the
function is its call."""

from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class InvertedDropout:
    p: float
    generator: torch.Generator | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.p <= 1:
            raise ValueError(f"p must be between 0 and 1, not {self.p}")

    def __call__(self, weights: torch.Tensor) -> torch.Tensor:
        keep = torch.empty_like(weights).bernoulli_(1 - self.p, generator=self.generator).bool()
        return torch.where(keep, weights / max(1 - self.p, 1e-12), 0.0)


def dropout_weights(
    weights: torch.Tensor, p: float, training: bool, generator: torch.Generator | None = None
) -> torch.Tensor:
    return InvertedDropout(p, generator)(weights) if training else weights.clone()


print("dropout demo:", dropout_weights(torch.ones(2, 5), 0.5, training=True))
