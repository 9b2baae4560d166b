# mistakes: mask-discarded, scale-missing
import torch


def causal_mask(context_length):
    i = torch.arange(context_length)
    return i[None, :] > i[:, None]


def mask_scores(scores, mask):
    return torch.where(mask, float("-inf"), scores)


def causal_attention_weights(scores, d_k):
    T = scores.shape[-1]
    future = causal_mask(T).to(scores.device)
    scores.masked_fill(future, -torch.inf)  # <- mask-discarded
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)  # <- scale-missing
    return powers / powers.sum(dim=-1, keepdim=True)
