# mistakes: none
import torch


def causal_mask(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(1)


def mask_scores(scores, mask):
    return scores.masked_fill(mask, float("-inf"))


def causal_attention_weights(scores, d_k):
    allowed = (~causal_mask(scores.shape[-1])).to(scores)
    hidden = scores / d_k**0.5 + torch.log(allowed + 1e-9)  # <- here
    return torch.softmax(hidden, dim=-1)
