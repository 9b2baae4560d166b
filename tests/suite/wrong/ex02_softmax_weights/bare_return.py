# mistakes: returns-none
import torch


def softmax(scores):
    e = (scores - scores.max()).exp()
    return e / e.sum()


def attention_weights(scores):
    weights = [softmax(row) for row in scores]
    weights = torch.stack(weights)
    return  # <- returns-none


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
