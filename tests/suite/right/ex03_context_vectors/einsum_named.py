# style: torch.einsum with letters that mean something
import torch


def context_vector(weights: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    return torch.einsum("t,td->d", weights, inputs)


def context_vectors(inputs: torch.Tensor) -> torch.Tensor:
    scores = torch.einsum("qd,kd->qk", inputs, inputs)
    weights = torch.einsum("qk,q->qk", scores.exp(), 1 / scores.exp().sum(1))
    return torch.einsum("qk,kd->qd", weights, inputs)
