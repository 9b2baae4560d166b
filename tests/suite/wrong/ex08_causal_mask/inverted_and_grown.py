# mistakes: mask-inverted, scale-inverted
import torch


def causal_mask(context_length):
    square = torch.ones((context_length, context_length), dtype=torch.bool)
    return square.tril(diagonal=-1)  # <- mask-inverted


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    scaled = scores * d_k**0.5  # <- scale-inverted
    masked = mask_scores(scaled, causal_mask(T).to(scores.device))
    return torch.softmax(masked, dim=-1)
