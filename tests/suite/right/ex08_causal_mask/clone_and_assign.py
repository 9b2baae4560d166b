# style: nested Python lists for the mask; a clone is written to by index
import torch


def causal_mask(context_length):
    return torch.tensor([[j > i for j in range(context_length)] for i in range(context_length)])


def mask_scores(scores, mask):
    hidden = scores.clone()
    hidden[..., mask] = float("-inf")
    return hidden


def causal_attention_weights(scores, d_k):
    n = scores.shape[-2]
    hidden = scores * d_k ** -0.5
    hidden.masked_fill_(causal_mask(n).to(hidden.device), -torch.inf)
    return torch.nn.functional.softmax(hidden, dim=-1)
