# mistakes: scale-wrong-width
import torch


def causal_mask(context_length):
    i = torch.arange(context_length)
    return i[None, :] > i[:, None]


def mask_scores(scores, mask):
    extra = torch.zeros_like(scores).masked_fill_(mask, float("-inf"))
    return scores + extra


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    masked = mask_scores(scores, mask)
    return torch.softmax(masked / scores.shape[-1] ** 0.5, dim=-1)  # <- scale-wrong-width
