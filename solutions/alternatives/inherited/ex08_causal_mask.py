"""The mask is cached by functools and handed out as a copy; the weights are the exponential of a
log-softmax."""

import functools

import torch


@functools.cache
def _cached_mask(context_length):
    return torch.tril(torch.ones(context_length, context_length)) == 0


def causal_mask(context_length):
    return _cached_mask(context_length).clone()


def mask_scores(scores, mask):
    masked = scores.clone()
    masked[mask.expand_as(scores)] = -torch.inf
    return masked


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    return mask_scores(scores, mask).mul(d_k**-0.5).log_softmax(dim=-1).exp()
