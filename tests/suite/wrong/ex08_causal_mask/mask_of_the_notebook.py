# mistakes: global-variable
import torch

context_length = 6
future = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    return scores.masked_fill(future.to(scores.device), -torch.inf)  # <- global-variable


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    future = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
    scaled = scores * d_k**-0.5
    return scaled.masked_fill(future, float("-inf")).softmax(dim=-1)
