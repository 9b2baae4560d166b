# mistakes: api-misspelt
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    return torch.sofmax(scores, dim=-1)  # <- api-misspelt


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
