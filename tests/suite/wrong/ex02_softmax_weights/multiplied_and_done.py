# mistakes: softmax-missing
import torch


def softmax(scores):
    scores = scores - scores.amax()
    return scores.exp() / scores.exp().sum()


def attention_weights(scores):
    return torch.vmap(softmax)(scores)


def sharpened_weights(scores, factor):
    return torch.multiply(scores, factor)  # <- softmax-missing
