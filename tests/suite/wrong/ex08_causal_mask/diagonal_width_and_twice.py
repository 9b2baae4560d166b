# mistakes: mask-diagonal, scale-wrong-width, softmax-twice
import torch


def causal_mask(context_length):
    i = torch.arange(context_length)
    return (i.view(1, -1) - i.view(-1, 1)) > 1  # <- mask-diagonal


def mask_scores(scores, mask):
    extra = torch.zeros_like(scores).masked_fill_(mask, float("-inf"))
    return scores + extra


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    mask = causal_mask(T).to(scores.device)
    scaled = scores / T**0.5  # <- scale-wrong-width
    weights = torch.softmax(mask_scores(scaled, mask), dim=-1)
    return torch.softmax(weights, dim=-1)  # <- softmax-twice
