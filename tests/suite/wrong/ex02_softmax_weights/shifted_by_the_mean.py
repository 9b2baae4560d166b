# mistakes: none
import torch


def softmax(scores):
    centred = scores - scores.mean()  # <- here
    e = torch.exp(centred)
    return e / e.sum()


def attention_weights(scores):
    return torch.softmax(scores, dim=-1)


def sharpened_weights(scores, factor):
    return torch.softmax(factor * scores, dim=0)
