# mistakes: mask-diagonal
import torch


def causal_mask(context_length):
    idx = torch.arange(context_length)
    return idx.unsqueeze(0) >= idx.unsqueeze(1)  # <- mask-diagonal


def mask_scores(scores, mask):
    out = scores.clone()
    out[..., mask] = float("-inf")
    return out


def causal_attention_weights(scores, d_k):
    n = scores.size(-1)
    mask = causal_mask(n).to(scores.device)
    logits = mask_scores(scores * d_k ** -0.5, mask)
    e = torch.exp(logits - logits.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)
