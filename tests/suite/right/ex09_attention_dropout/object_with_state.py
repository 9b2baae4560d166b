# style: a dataclass does the work; bernoulli_ in place with a generator; prints at import
from dataclasses import dataclass

import torch


@dataclass
class InvertedDropout:
    p: float
    generator: torch.Generator | None = None

    @property
    def keep(self) -> float:
        return 1.0 - self.p

    def __call__(self, weights: torch.Tensor) -> torch.Tensor:
        if self.keep == 0.0:
            return weights.new_zeros(weights.shape)
        return weights.new_empty(weights.shape).bernoulli_(self.keep, generator=self.generator).mul_(weights).div_(self.keep)


def dropout_weights(weights, p, training, generator=None):
    return InvertedDropout(p, generator)(weights) if training else weights


torch.manual_seed(123)
print(dropout_weights(torch.ones(6, 6), 0.5, True))
