# mistakes: softmax-wrong-axis, scale-inverted
import torch


def _stable_exp(v):
    return (v - v.amax()).exp()


def softmax(scores):
    num = _stable_exp(scores)
    return num.div(num.sum())


def attention_weights(scores):
    cols = []
    for j in range(scores.size(1)):
        cols.append(softmax(scores[:, j]))  # <- softmax-wrong-axis
    return torch.stack(cols, dim=1)


def sharpened_weights(scores, factor):
    temperature = factor
    # a sharper distribution
    logits = torch.div(scores, temperature)  # <- scale-inverted
    return softmax(logits)
