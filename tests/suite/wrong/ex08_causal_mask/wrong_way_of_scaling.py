# mistakes: scale-inverted
import math

import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    grown = scores * math.sqrt(d_k)  # <- scale-inverted
    mask = causal_mask(grown.shape[-1]).to(grown.device)
    return torch.softmax(mask_scores(grown, mask), -1)
