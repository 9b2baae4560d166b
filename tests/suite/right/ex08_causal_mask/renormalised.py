# style: softmax first, then the future set to zero and each row divided by its sum, as the lesson's first way
import torch


def causal_mask(context_length: int) -> torch.Tensor:
    rows, columns = torch.triu_indices(context_length, context_length, offset=1)
    mask = torch.zeros((context_length, context_length)).bool()
    mask[rows, columns] = True
    return mask


def mask_scores(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    additive = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device).masked_fill_(mask, -torch.inf)
    return scores + additive


def causal_attention_weights(scores: torch.Tensor, d_k: int) -> torch.Tensor:
    weights = torch.softmax(scores / d_k**0.5, dim=-1)
    simple = torch.tril(weights)
    return simple / simple.sum(dim=-1, keepdim=True)
