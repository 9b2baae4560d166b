# mistakes: none
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    powers = torch.exp2(scores - scores.max(dim=-1, keepdim=True).values)  # <- here
    return powers / powers.sum(dim=-1, keepdim=True)


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
