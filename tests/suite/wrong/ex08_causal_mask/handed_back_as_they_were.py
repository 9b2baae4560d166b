# mistakes: mask-missing
import torch


def causal_mask(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu_(1)


def mask_scores(scores, mask):
    hidden = torch.where(mask, -torch.inf, 0.0)
    masked = scores.clone()  # <- mask-missing
    return masked


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    bias = torch.full((T, T), -torch.inf, device=scores.device).triu(1)
    return torch.softmax(scores / d_k**0.5 + bias, dim=-1)
