# mistakes: mask-diagonal
import torch


def causal_mask(context_length):
    i = torch.arange(context_length)
    return i[None, :] > i[:, None]


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    allowed = torch.ones(T, T, dtype=torch.bool, device=scores.device).tril(1)  # <- mask-diagonal
    scaled = scores / d_k**0.5
    return mask_scores(scaled, ~allowed).softmax(-1)
