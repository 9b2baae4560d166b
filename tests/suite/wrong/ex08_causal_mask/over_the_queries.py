# mistakes: softmax-wrong-axis
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    masked = mask_scores(scores / d_k**0.5, causal_mask(T).to(scores.device))
    powers = masked.exp()
    return powers / powers.sum(dim=-2, keepdim=True)  # <- softmax-wrong-axis
