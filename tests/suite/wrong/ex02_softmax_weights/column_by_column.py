# mistakes: softmax-wrong-axis
import torch


def softmax(scores):
    m = scores.max()
    num = (scores - m).exp()
    den = num.sum()
    return num / den


def attention_weights(scores):
    cols = [softmax(scores[:, j]) for j in range(scores.size(1))]  # <- softmax-wrong-axis
    return torch.stack(cols, dim=1)


def sharpened_weights(scores, factor):
    return softmax(scores.mul(factor))
