# style: uniform_ on an own tensor, torch.where with a scale that is 0 at p = 1
import torch


def dropout_weights(weights: torch.Tensor, p: float, training: bool, generator: "torch.Generator | None" = None) -> torch.Tensor:
    if training is False:
        return weights.clone()
    u = torch.empty_like(weights).uniform_(generator=generator)
    scale = 1.0 / (1.0 - p) if p < 1 else 0.0
    return torch.where(u < p, torch.zeros_like(weights), weights * scale)
