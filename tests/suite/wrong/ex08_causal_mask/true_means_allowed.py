# mistakes: mask-inverted
import torch


def causal_mask(context_length):
    positions = torch.arange(context_length)
    return positions.unsqueeze(0) <= positions.unsqueeze(1)  # <- mask-inverted


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    future = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
    scaled = scores * d_k**-0.5
    return scaled.masked_fill(future, float("-inf")).softmax(dim=-1)
