# mistakes: scale-missing
import torch


def softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum()


def attention_weights(scores):
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return powers / powers.sum(dim=-1, keepdim=True)


def sharpened_weights(scores, factor):
    sharper = scores + factor  # <- scale-missing
    return softmax(sharper)
