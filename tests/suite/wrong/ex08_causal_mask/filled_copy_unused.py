# mistakes: mask-discarded
import torch


def causal_mask(context_length):
    return ~torch.ones(context_length, context_length).tril().bool()


def mask_scores(scores, mask):
    return scores.masked_fill(mask, float("-inf"))


def causal_attention_weights(scores, d_k):
    n = scores.shape[-1]
    scores = scores * d_k**-0.5
    filled = scores.masked_fill(causal_mask(n).to(scores.device), -torch.inf)  # <- mask-discarded
    return scores.softmax(dim=-1)
