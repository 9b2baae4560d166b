# mistakes: scale-inverted
import torch
from torch.nn import functional as F


def softmax(scores):
    exps = torch.exp(scores - scores.max())
    return exps.div(exps.sum())


def attention_weights(scores):
    return F.softmax(scores, dim=-1)


def sharpened_weights(scores, factor):
    tempered = scores.div(factor)  # <- scale-inverted
    return F.softmax(tempered, dim=0)
