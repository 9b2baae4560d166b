# style: the mask from numpy; the smallest finite number of the dtype instead of minus infinity
import numpy as np
import torch


def causal_mask(context_length):
    return torch.from_numpy(np.triu(np.ones((context_length, context_length), dtype=bool), k=1))


def mask_scores(scores, mask):
    return scores.masked_fill(mask, torch.finfo(scores.dtype).min)


def causal_attention_weights(scores, d_k):
    m = causal_mask(scores.shape[-1]).to(scores.device)
    return torch.softmax(mask_scores(scores, m) / d_k**0.5, dim=-1)
