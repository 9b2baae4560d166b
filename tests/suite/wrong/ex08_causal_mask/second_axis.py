# mistakes: softmax-wrong-axis
import torch


def causal_mask(context_length):
    i = torch.arange(context_length)
    return i[None, :] > i[:, None]


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    masked = mask_scores(scores / d_k**0.5, causal_mask(T).to(scores.device))
    return torch.softmax(masked, dim=1)  # <- softmax-wrong-axis
