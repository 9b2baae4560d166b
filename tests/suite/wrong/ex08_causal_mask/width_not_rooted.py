# mistakes: scale-no-sqrt
import torch


def causal_mask(context_length):
    allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
    return ~allowed


def mask_scores(scores, mask):
    return scores.masked_fill(mask, -torch.inf)


def causal_attention_weights(scores, d_k):
    hidden = mask_scores(scores, causal_mask(scores.shape[-1]).to(scores.device))
    hidden = hidden / d_k  # <- scale-no-sqrt
    return torch.nn.functional.softmax(hidden, dim=-1)
