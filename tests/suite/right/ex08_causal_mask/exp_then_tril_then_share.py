# style: exp, zero the future, divide by what is left; tril_indices for the mask
import math

import torch


def causal_mask(context_length):
    mask = torch.full((context_length, context_length), True)
    i, j = torch.tril_indices(context_length, context_length)
    mask[i, j] = False
    return mask


def mask_scores(scores, mask):
    allowed = torch.logical_not(mask)
    return torch.where(allowed, scores, -math.inf)


def causal_attention_weights(scores, d_k):
    s = scores * (1.0 / math.sqrt(d_k))
    e = torch.exp(s - s.amax(dim=-1, keepdim=True)).tril()
    return e / e.sum(dim=-1, keepdim=True)
