# mistakes: returns-none
import torch


def causal_mask(context_length):
    i = torch.arange(context_length)
    return i[None, :] > i[:, None]


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    masked = mask_scores(scores / d_k**0.5, mask)
    weights = torch.softmax(masked, dim=-1)  # <- returns-none
