# mistakes: mask-inverted, scale-missing
import torch


def causal_mask(context_length):
    rows = [[j < i for j in range(context_length)] for i in range(context_length)]  # <- mask-inverted
    return torch.tensor(rows, dtype=torch.bool)


def mask_scores(scores, mask):
    return torch.where(mask, torch.full_like(scores, float("-inf")), scores)


def causal_attention_weights(scores, d_k):
    m = causal_mask(scores.shape[-1]).to(scores.device)
    return torch.softmax(mask_scores(scores, m), dim=-1)  # <- scale-missing
