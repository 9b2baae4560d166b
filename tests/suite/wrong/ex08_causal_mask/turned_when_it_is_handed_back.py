# mistakes: mask-inverted
import torch


def causal_mask(context_length):
    future = torch.triu(torch.ones(context_length, context_length), 1)

    return future.bool().T  # <- mask-inverted


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    n = scores.shape[-1]
    future = torch.arange(n)[None, :] > torch.arange(n)[:, None]
    return torch.softmax(mask_scores(scores / d_k**0.5, future), dim=-1)
