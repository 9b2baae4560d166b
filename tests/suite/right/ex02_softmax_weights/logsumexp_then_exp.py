# style: exp of the scores minus their logsumexp
import torch
from torch import Tensor


def softmax(scores: Tensor) -> Tensor:
    log_total = torch.logsumexp(scores, dim=0)
    return torch.exp(scores - log_total)


def attention_weights(scores: Tensor) -> Tensor:
    return torch.stack([softmax(row) for row in scores])


def sharpened_weights(scores: Tensor, factor: float) -> Tensor:
    return softmax(factor * scores)
