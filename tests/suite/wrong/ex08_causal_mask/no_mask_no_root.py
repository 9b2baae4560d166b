# mistakes: mask-missing, scale-no-sqrt
import torch


def causal_mask(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(diagonal=1)


def mask_scores(scores, mask):
    return torch.where(mask, -torch.inf, scores)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1])
    scaled = scores / d_k  # <- scale-no-sqrt
    return torch.softmax(scaled, dim=-1)  # <- mask-missing
