# style: the mask is a comparison of two aranges; torch.where for minus infinity
import torch


def causal_mask(context_length):
    t = torch.arange(context_length)
    return t[None, :] > t[:, None]


def mask_scores(scores, mask):
    return torch.where(mask, torch.tensor(-torch.inf, dtype=scores.dtype, device=scores.device), scores)


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    return torch.softmax(mask_scores(scores / d_k**0.5, mask), dim=-1)
