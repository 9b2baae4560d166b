"""The mask is a comparison of positions (no triu), and softmax is written out with einsum for the row
sums."""

import torch


def causal_mask(context_length):
    position = torch.arange(context_length)
    return position[:, None] < position[None, :]


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    scaled = mask_scores(scores, mask) / d_k**0.5
    exps = torch.exp(scaled - scaled.amax(dim=-1, keepdim=True))
    return torch.einsum("...ij,...i->...ij", exps, 1 / torch.einsum("...ij->...i", exps))
