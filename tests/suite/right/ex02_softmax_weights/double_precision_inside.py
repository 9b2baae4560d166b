# style: everything in float64, cast back to the scores' own dtype; in-place operations on own tensors
import torch


def softmax(scores):
    z = scores.to(torch.float64)      # a new tensor
    z = z - torch.max(z).item()
    z.exp_()
    z /= z.sum()
    return z.type_as(scores)


def attention_weights(scores):
    return torch.nn.functional.softmax(scores.double(), dim=-1).to(scores.dtype)


def sharpened_weights(scores, factor):
    sharper = scores.clone()
    sharper *= factor
    return softmax(sharper)
