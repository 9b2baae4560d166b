# mistakes: none
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    return torch.stack(list(map(softmax, scores)))


def sharpened_weights(scores, factor):
    weights = softmax(scores)
    return weights * factor  # <- here
