# mistakes: mask-after-softmax, scale-no-sqrt
import torch


def causal_mask(context_length):
    allowed = torch.tril(torch.ones(context_length, context_length, dtype=torch.bool))
    return ~allowed


def mask_scores(scores, mask):
    out = scores.clone()
    out[..., mask] = -torch.inf
    return out


def causal_attention_weights(scores, d_k):
    scaled = scores / d_k  # <- scale-no-sqrt
    weights = scaled.softmax(dim=-1)
    mask = causal_mask(weights.shape[-1]).to(weights.device)
    return weights.masked_fill(mask, 0.0)  # <- mask-after-softmax
