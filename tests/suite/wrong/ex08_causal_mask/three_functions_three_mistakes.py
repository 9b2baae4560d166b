# mistakes: mask-diagonal, mask-zero-fill, scale-inverted
import torch


def causal_mask(context_length):
    m = torch.ones((context_length, context_length), dtype=torch.bool)
    return m.triu()  # <- mask-diagonal


def mask_scores(scores, mask):
    return scores.masked_fill(mask, 0.0)  # <- mask-zero-fill


def causal_attention_weights(scores, d_k):
    mask = torch.triu(torch.ones_like(scores, dtype=torch.bool), diagonal=1)
    scaled = scores * (d_k**0.5)  # <- scale-inverted
    return torch.softmax(scaled.masked_fill(mask, -torch.inf), dim=-1)
