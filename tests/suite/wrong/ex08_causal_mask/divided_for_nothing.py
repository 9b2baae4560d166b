# mistakes: scale-missing
import torch
import torch.nn.functional as F


def causal_mask(context_length):
    mask = torch.zeros(context_length, context_length, dtype=torch.bool)
    for i in range(context_length):
        for j in range(i + 1, context_length):
            mask[i, j] = True
    return mask


def mask_scores(scores, mask):
    return scores + torch.zeros_like(scores).masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    scaled = scores
    scaled.div(d_k ** 0.5)  # <- scale-missing
    masked = mask_scores(scaled, mask)
    return F.softmax(masked, dim=-1)
