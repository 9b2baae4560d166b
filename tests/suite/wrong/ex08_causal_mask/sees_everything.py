# mistakes: mask-missing
import torch


def causal_mask(context_length):
    allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
    return ~allowed


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    scaled = scores / d_k**0.5
    e = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))  # <- mask-missing
    return e / e.sum(dim=-1, keepdim=True)
