# mistakes: mask-zero-fill, softmax-twice
import torch


def causal_mask(context_length):
    rows = torch.arange(context_length)[:, None]
    columns = torch.arange(context_length)[None]
    return columns > rows


def mask_scores(scores, mask):
    return scores.masked_fill(mask, float("-inf"))


def causal_attention_weights(scores, d_k):
    T = scores.size(-1)
    scaled = scores / d_k**0.5
    masked = torch.where(causal_mask(T).to(scores.device), 0.0, scaled)  # <- mask-zero-fill
    weights = torch.softmax(masked, dim=-1)
    return torch.softmax(weights, dim=-1)  # <- softmax-twice
