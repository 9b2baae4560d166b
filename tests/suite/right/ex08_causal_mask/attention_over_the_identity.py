# style: torch's attention over the identity gives the weights
import torch
import torch.nn.functional as F


def causal_mask(context_length):
    i, j = torch.arange(context_length), torch.arange(context_length)
    return torch.lt(*torch.broadcast_tensors(i[:, None], j))


def mask_scores(scores, mask):
    result = torch.empty_like(scores)
    result[...] = scores
    result[mask.expand_as(result)] = -float("inf")
    return result


def causal_attention_weights(scores, d_k):
    # queries = scores, keys = values = identity: attention weights are the output
    T = scores.shape[-1]
    eye = torch.eye(T, dtype=scores.dtype, device=scores.device).expand_as(scores)
    flat = scores.reshape(-1, T, T)
    eye = eye.reshape(-1, T, T)
    return F.scaled_dot_product_attention(flat, eye, eye, is_causal=True, scale=d_k**-0.5).reshape(scores.shape)
