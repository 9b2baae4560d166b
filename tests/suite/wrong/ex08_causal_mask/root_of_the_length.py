# mistakes: scale-wrong-width
import torch


def causal_mask(context_length):
    base = torch.zeros(context_length, context_length, dtype=torch.bool)
    for i in range(context_length):
        base[i, i + 1 :] = True
    return base


def mask_scores(scores, mask):
    out = scores.clone()
    out[..., mask] = -float("inf")
    return out


def causal_attention_weights(scores, d_k):
    *_, T, S = scores.shape
    s = mask_scores(scores, causal_mask(T).to(scores.device))
    s = s / S**0.5  # <- scale-wrong-width
    s = s - s.max(dim=-1, keepdim=True).values
    e = s.exp()
    return e / e.sum(dim=-1, keepdim=True)
