# mistakes: softmax-wrong-axis, scale-inverted
import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum()


def attention_weights(scores):
    return torch.stack([softmax(c) for c in scores.T]).T  # <- softmax-wrong-axis


def sharpened_weights(scores, factor):
    inverse = 1.0 / factor
    return softmax(scores * inverse)  # <- scale-inverted
