# mistakes: softmax-twice
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    return torch.softmax(scores, dim=-1)


def sharpened_weights(scores, factor):
    weights = softmax(scores)
    return softmax(factor * weights)  # <- softmax-twice
