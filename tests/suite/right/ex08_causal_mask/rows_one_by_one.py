# style: no mask in the weights: each row's softmax runs over its own past alone
import torch
import torch.nn.functional as F


def causal_mask(context_length):
    mask = torch.zeros(context_length, context_length, dtype=torch.bool)
    for i in range(context_length):
        mask[i, i + 1:] = True
    return mask


def mask_scores(scores, mask):
    out = torch.full_like(scores, -torch.inf)
    allowed = ~mask
    out[..., allowed] = scores[..., allowed]
    return out


def causal_attention_weights(scores, d_k):
    weights = torch.zeros_like(scores)
    for i in range(scores.shape[-2]):
        weights[..., i, : i + 1] = F.softmax(scores[..., i, : i + 1] / d_k**0.5, dim=-1)
    return weights
