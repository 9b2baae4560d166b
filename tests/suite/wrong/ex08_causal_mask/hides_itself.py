# mistakes: mask-diagonal
import torch


def causal_mask(context_length):
    mask = torch.zeros(context_length, context_length, dtype=torch.bool)
    for i in range(context_length):
        mask[i, i:] = True  # <- mask-diagonal
    return mask


def mask_scores(scores, mask):
    out = scores.clone()
    out[..., mask] = -torch.inf
    return out


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    future = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
    scaled = scores * d_k**-0.5
    return scaled.masked_fill(future, float("-inf")).softmax(dim=-1)
