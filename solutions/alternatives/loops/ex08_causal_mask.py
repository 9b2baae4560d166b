"""The mask is a list of lists. Each row of the weights is a softmax over the tokens that may be seen, with
zeros after it, so the weights need no -inf at all."""

import math

import torch


def causal_mask(context_length):
    mask = []
    for row in range(context_length):
        mask.append([column > row for column in range(context_length)])
    return torch.tensor(mask)


def mask_scores(scores, mask):
    masked = scores.clone()
    for row in range(mask.shape[0]):
        for column in range(mask.shape[1]):
            if mask[row, column]:
                masked[..., row, column] = -math.inf
    return masked


def causal_attention_weights(scores, d_k):
    num_tokens = scores.shape[-1]
    rows = []
    for i in range(num_tokens):
        seen = scores[..., i, : i + 1] / math.sqrt(d_k)
        future = torch.zeros_like(scores[..., i, i + 1 :])
        rows.append(torch.cat([torch.softmax(seen, dim=-1), future], dim=-1))
    return torch.stack(rows, dim=-2)
