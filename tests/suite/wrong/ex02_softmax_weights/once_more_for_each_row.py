# mistakes: softmax-twice
import torch


def softmax(scores):
    biggest = scores.max()
    powers = torch.exp(scores - biggest)
    return powers / powers.sum()


def attention_weights(scores):
    weights = torch.softmax(scores, dim=1)
    rows = []
    for row in weights:
        rows.append(softmax(row))  # <- softmax-twice
    return torch.stack(rows)


def sharpened_weights(scores, factor):
    scaled = scores * factor
    return softmax(scaled)
