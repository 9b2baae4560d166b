# mistakes: softmax-wrong-axis, scale-inverted
import torch


def softmax(scores):
    powers = torch.exp(scores - torch.max(scores))
    total = torch.sum(powers)
    return powers / total


def attention_weights(scores):
    powers = torch.exp(scores - torch.max(scores))
    total = powers.sum()
    return powers / total  # <- softmax-wrong-axis


def sharpened_weights(scores, factor):
    z = scores / factor  # <- scale-inverted
    return softmax(z)
