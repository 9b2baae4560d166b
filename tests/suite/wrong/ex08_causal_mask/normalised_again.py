# mistakes: softmax-twice
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    once = torch.softmax(mask_scores(scores / d_k**0.5, mask), dim=-1)
    return once.softmax(dim=-1)  # <- softmax-twice
