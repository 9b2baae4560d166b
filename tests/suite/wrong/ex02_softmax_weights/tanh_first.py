# mistakes: none
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    squashed = torch.tanh(scores)  # <- here
    return torch.softmax(squashed, dim=-1)


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
