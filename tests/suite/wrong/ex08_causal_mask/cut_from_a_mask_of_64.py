# mistakes: none
import torch

FUTURE = torch.ones(64, 64).triu(1).bool()


def causal_mask(context_length):
    return FUTURE[:context_length, :context_length].clone()  # <- here


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    return mask_scores(scores / d_k**0.5, causal_mask(scores.shape[-1]).to(scores.device)).softmax(-1)
