# mistakes: softmax-wrong-axis
import torch


def softmax(scores):
    shifted = scores - torch.max(scores)
    return torch.exp(shifted) / torch.sum(torch.exp(shifted))


def attention_weights(scores):
    z = scores - scores.max(dim=-1, keepdim=True).values
    ez = z.exp()
    return ez / ez.sum(dim=0, keepdim=True)  # <- softmax-wrong-axis


def sharpened_weights(scores, factor):
    return softmax(factor * scores)
