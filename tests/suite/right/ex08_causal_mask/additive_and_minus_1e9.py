# style: not tril; subtracts 1e9 where forbidden
import math
import torch


def causal_mask(context_length):
    return torch.tril(torch.ones(context_length, context_length)) == 0


def mask_scores(scores, mask):
    return scores - 1e9 * mask.to(scores.dtype)


def causal_attention_weights(scores, d_k):
    T = scores.size(-1)
    mask = causal_mask(T).to(device=scores.device)
    return mask_scores(scores / math.sqrt(d_k), mask).softmax(-1)
