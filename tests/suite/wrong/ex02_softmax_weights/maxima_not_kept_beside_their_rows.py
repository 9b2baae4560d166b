# mistakes: none
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    e = torch.exp(scores - scores.max(dim=-1).values)  # <- here
    total = e.sum(dim=-1, keepdim=True)
    weights = e / total
    return weights


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
