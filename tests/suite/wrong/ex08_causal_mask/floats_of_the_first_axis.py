# mistakes: none
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1)


def mask_scores(scores, mask):
    return scores.masked_fill(mask, float("-inf"))


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[0]).bool()
    scores = scores.masked_fill(mask, float("-inf"))
    return torch.softmax(scores / d_k, dim=-1)  # <- here
