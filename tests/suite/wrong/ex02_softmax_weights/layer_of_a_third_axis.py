# mistakes: none
import torch

shares = torch.nn.Softmax(dim=2)


def softmax(scores):
    raised = torch.exp(scores - scores.max())
    return raised / raised.sum()


def attention_weights(scores):
    return shares(scores)  # <- here


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
