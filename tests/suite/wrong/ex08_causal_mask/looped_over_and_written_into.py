# mistakes: input-mutated
import torch


def causal_mask(context_length):
    return torch.ones(context_length, context_length).triu(1) == 1


def mask_scores(scores, mask):
    if scores.ndim == 2:
        return scores.masked_fill(mask, -torch.inf)
    for i in range(len(scores)):
        scores[i] = mask_scores(scores[i], mask)  # <- input-mutated
    return scores


def causal_attention_weights(scores, d_k):
    return mask_scores(scores / d_k**0.5, causal_mask(scores.shape[-1]).to(scores.device)).softmax(-1)
