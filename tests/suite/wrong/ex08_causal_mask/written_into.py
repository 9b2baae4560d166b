# mistakes: input-mutated
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    scores[..., mask] = float("-inf")  # <- input-mutated
    return scores


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    future = torch.ones(n, n, dtype=torch.bool, device=scores.device).triu(1)
    scaled = scores * d_k**-0.5
    return scaled.masked_fill(future, float("-inf")).softmax(dim=-1)
