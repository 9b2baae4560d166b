# mistakes: softmax-wrong-axis
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum(dim=1)  # <- softmax-wrong-axis


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
