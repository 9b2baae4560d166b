# style: softmax over the first axis of the transpose, turned back
import torch


def softmax(scores):
    scores = scores - torch.amax(scores, dim=0, keepdim=True)
    e = scores.exp()
    return torch.nn.functional.normalize(e, p=1, dim=0)


def attention_weights(scores):
    return torch.softmax(scores.T, dim=0).T


def sharpened_weights(scores, factor):
    return attention_weights((factor * scores)[None, :])[0]
