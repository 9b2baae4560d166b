# mistakes: mask-inverted
import torch


def causal_mask(context_length):
    ones = torch.ones(context_length, context_length)
    return torch.triu(ones, diagonal=1).bool()


def mask_scores(scores, mask):
    return torch.where(mask, scores, float("-inf"))  # <- mask-inverted


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    hidden = mask_scores(scores / d_k**0.5, causal_mask(n).to(scores.device))
    return hidden.softmax(dim=-1)
