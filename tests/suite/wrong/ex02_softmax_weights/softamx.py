# mistakes: api-misspelt
import torch


def softmax(scores):
    scores = scores - scores.max()
    return torch.exp(scores) / torch.exp(scores).sum()


def attention_weights(scores):
    attn = torch.softamx(scores, dim=-1)  # <- api-misspelt
    print("rows:", attn.sum(dim=-1))
    return attn


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
