# mistakes: mask-zero-fill
import torch


def causal_mask(context_length):
    return torch.ones(context_length, context_length).triu(1).bool()


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def hidden(scores, mask):
    return scores.masked_fill(mask, 0.0)  # <- mask-zero-fill


def causal_attention_weights(scores, d_k):
    scaled = scores / d_k**0.5
    scaled = hidden(scaled, causal_mask(scores.shape[-1]))
    return torch.softmax(scaled, dim=-1)
