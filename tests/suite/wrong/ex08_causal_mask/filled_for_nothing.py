# mistakes: mask-discarded
import torch


def causal_mask(context_length):
    allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
    return ~allowed


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    num_tokens = scores.shape[-1]
    scaled = scores / d_k**0.5
    mask = causal_mask(num_tokens).to(scores.device)
    scaled.masked_fill(mask, -torch.inf)  # <- mask-discarded
    weights = torch.softmax(scaled, dim=-1)
    return weights
