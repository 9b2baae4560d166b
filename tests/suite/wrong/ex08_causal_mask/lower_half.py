# mistakes: mask-inverted
import torch


def causal_mask(context_length):
    ones = torch.ones(context_length, context_length)
    return torch.tril(ones, diagonal=-1) == 1  # <- mask-inverted


def mask_scores(scores, mask):
    out = scores.clone()
    out[..., mask] = -torch.inf
    return out


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    future = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
    scaled = scores * d_k**-0.5
    return scaled.masked_fill(future, float("-inf")).softmax(dim=-1)
