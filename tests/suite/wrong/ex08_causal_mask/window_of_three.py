# mistakes: none
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    out = scores.clone()
    out[..., mask] = -torch.inf
    return out


def causal_attention_weights(scores, d_k):
    i = torch.arange(scores.shape[-1], device=scores.device)
    distance = i[:, None] - i[None, :]
    hidden = (distance < 0) | (distance > 2)  # <- here
    return torch.softmax(mask_scores(scores / d_k**0.5, hidden), dim=-1)
