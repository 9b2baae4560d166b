# mistakes: mask-diagonal
import torch


def causal_mask(context_length):
    n = context_length
    rows = []
    for i in range(n):
        rows.append([False] * i + [True] * (n - i))  # <- mask-diagonal
    return torch.tensor(rows)


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    return torch.softmax(mask_scores(scores / d_k**0.5, mask), dim=-1)
