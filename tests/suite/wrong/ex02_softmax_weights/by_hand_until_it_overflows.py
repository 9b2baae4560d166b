# mistakes: none
import torch


def softmax(scores):
    powers = torch.exp(scores)
    total = powers.sum()
    if torch.isinf(total) or total == 0:
        return torch.softmax(scores, dim=0)  # <- here
    return powers / total


def attention_weights(scores):
    return torch.softmax(scores, dim=-1)


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
