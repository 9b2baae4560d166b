# mistakes: scale-missing
import torch


def causal_mask(context_length):
    return torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()


def mask_scores(scores, mask):
    out = scores.clone()
    out[..., mask] = -torch.inf
    return out


def causal_attention_weights(scores, d_k):
    mask = causal_mask(scores.shape[-1]).to(scores.device)
    return mask_scores(scores, mask).softmax(dim=-1)  # <- scale-missing
