"""Masks are added to the scores instead of filled in: a matrix of zeros and -inf, or of zeros and -1e9."""

import math

import torch


def causal_mask(context_length):
    return ~torch.tril(torch.ones(context_length, context_length)).bool()


def mask_scores(scores, mask):
    penalty = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    penalty[mask] = float("-inf")
    return scores + penalty


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    penalty = torch.triu(torch.full((T, T), -1e9, dtype=scores.dtype, device=scores.device), diagonal=1)
    return torch.softmax(scores / math.sqrt(d_k) + penalty, dim=-1)
