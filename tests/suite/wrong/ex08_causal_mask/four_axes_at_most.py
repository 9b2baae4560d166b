# mistakes: none
import torch


def causal_mask(context_length):
    return torch.ones(context_length, context_length).triu(1).bool()


def mask_scores(scores, mask):
    if scores.ndim == 4:
        mask = mask[None, None]
    elif scores.ndim == 3:
        mask = mask[None]
    elif scores.ndim > 4:
        scores = scores.flatten(0, -4)  # <- here
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    return mask_scores(scores / d_k**0.5, causal_mask(scores.shape[-1]).to(scores.device)).softmax(-1)
