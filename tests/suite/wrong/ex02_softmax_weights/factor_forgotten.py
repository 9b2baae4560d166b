# mistakes: scale-missing
import torch


def softmax(scores):
    shift = scores - scores.max()
    return torch.exp(shift) / torch.exp(shift).sum()


def attention_weights(scores):
    return scores.softmax(-1)


def sharpened_weights(scores, factor):
    sharp = softmax(scores)  # <- scale-missing
    return sharp
