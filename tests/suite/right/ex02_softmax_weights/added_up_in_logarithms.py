# style: the sum is had by a chain of logaddexp, score by score
from functools import reduce

import torch


def softmax(scores):
    return torch.exp(scores - reduce(torch.logaddexp, scores))


def attention_weights(scores):
    total = scores.new_full(scores.shape[:1], -torch.inf)
    for column in scores.T:
        total = torch.logaddexp(total, column)
    return torch.exp(scores - total[:, None])


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
