# mistakes: input-mutated
import torch


def causal_mask(context_length):
    i = torch.arange(context_length)
    return i[None, :] > i[:, None]


def mask_scores(scores, mask):
    return scores.masked_fill_(mask.bool(), -torch.inf)  # <- input-mutated


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    future = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
    scaled = scores * d_k**-0.5
    return scaled.masked_fill(future, float("-inf")).softmax(dim=-1)
