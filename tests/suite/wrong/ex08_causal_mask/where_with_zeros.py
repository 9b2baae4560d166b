# mistakes: mask-zero-fill
import math

import torch
import torch.nn.functional as F


def causal_mask(context_length):
    idx = torch.arange(context_length)
    return idx.unsqueeze(0).gt(idx.unsqueeze(1))


def mask_scores(scores, mask):
    # block the future
    return torch.where(mask, torch.zeros_like(scores), scores)  # <- mask-zero-fill


def causal_attention_weights(scores, d_k):
    T = scores.size(-1)
    masked = scores.masked_fill(causal_mask(T).to(scores.device), -math.inf)
    return F.softmax(masked / math.sqrt(d_k), dim=-1)
