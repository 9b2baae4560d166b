# mistakes: mask-after-softmax
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    extra = torch.zeros_like(scores).masked_fill_(mask, float("-inf"))
    return scores + extra


def causal_attention_weights(scores, d_k):
    weights = torch.softmax(scores / d_k**0.5, dim=-1)
    simple = torch.tril(torch.ones_like(scores))
    return weights * simple  # <- mask-after-softmax
