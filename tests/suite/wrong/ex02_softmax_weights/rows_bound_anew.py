# mistakes: softmax-missing
import torch


def softmax(scores):
    exponentials = torch.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def attention_weights(scores):
    weights = scores.clone()
    for row in weights:
        row = softmax(row)  # <- softmax-missing
    return weights


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
