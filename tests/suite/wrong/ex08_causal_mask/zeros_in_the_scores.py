# mistakes: mask-zero-fill
import torch


def causal_mask(context_length):
    allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
    return ~allowed


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    keep = torch.tril(torch.ones(T, T, device=scores.device))
    masked = scores * keep  # <- mask-zero-fill
    return torch.softmax(masked / d_k**0.5, dim=-1)
