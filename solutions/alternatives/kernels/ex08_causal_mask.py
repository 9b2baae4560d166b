"""triu on a boolean matrix, torch.where for the fill, and the scaling done after the mask."""

import torch
import torch.nn.functional as F


def causal_mask(context_length):
    return torch.ones((context_length, context_length), dtype=torch.bool).triu(diagonal=1)


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.size(-1)).to(scores.device)
    return F.softmax(mask_scores(scores, mask).div(d_k**0.5), dim=-1)
