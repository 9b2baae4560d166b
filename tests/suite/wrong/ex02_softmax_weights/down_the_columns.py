# mistakes: softmax-wrong-axis
import torch


def softmax(scores):
    e = torch.exp(scores - torch.max(scores))
    return e / torch.sum(e)


def attention_weights(scores):
    e = torch.exp(scores - scores.max())
    total = e.sum(dim=0, keepdim=True)  # <- softmax-wrong-axis
    return e / total


def sharpened_weights(scores, factor):
    return softmax(factor * scores)
