# mistakes: softmax-missing
import torch


def causal_mask(context_length):
    allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
    return ~allowed


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    return mask_scores(scores / d_k**0.5, causal_mask(T).to(scores.device))  # <- softmax-missing
