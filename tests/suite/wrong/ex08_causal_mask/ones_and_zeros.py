# mistakes: none
import torch


def causal_mask(context_length):
    """1 where a token must not look"""
    return torch.triu(torch.ones(context_length, context_length), diagonal=1)  # <- here


def mask_scores(scores, mask):
    return scores.masked_fill(mask.bool(), -torch.inf)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    masked = mask_scores(scores, mask)
    attn = torch.softmax(masked / d_k**0.5, dim=-1)
    return attn
