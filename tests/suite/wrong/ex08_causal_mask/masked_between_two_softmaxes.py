# mistakes: softmax-twice
import torch


def causal_mask(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(1)


def mask_scores(scores, mask):
    return scores.masked_fill(mask, float("-inf"))


def causal_attention_weights(scores, d_k):
    w = torch.softmax(scores / d_k ** 0.5, dim=-1)
    w = mask_scores(w, causal_mask(scores.shape[-1]))
    return torch.softmax(w, dim=-1)  # <- softmax-twice
