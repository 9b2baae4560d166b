# mistakes: mask-discarded
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    masked = scores.masked_fill(mask, float("-inf"))
    return masked


def causal_attention_weights(scores, d_k):
    attn = scores.div(d_k**0.5)
    mask_scores(attn, causal_mask(attn.size(-1)).to(attn.device))  # <- mask-discarded
    return torch.softmax(attn, dim=-1)
