# style: an additive bias of minus infinity, scores scaled after the mask
import torch


def causal_mask(context_length):
    ones = torch.ones(context_length, context_length)
    return (ones.tril() - 1).bool()


def mask_scores(scores, mask):
    bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
    bias[mask] = float("-inf")
    return scores + bias


def causal_attention_weights(scores, d_k):
    T = scores.size(-1)
    return torch.nn.functional.softmax(
        torch.divide(mask_scores(scores, causal_mask(T).to(scores.device)), d_k**0.5), dim=-1
    )
