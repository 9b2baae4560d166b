# mistakes: returns-none
import torch


class Softmax:
    def __call__(self, t):
        hi = t.max(-1, keepdim=True)[0]
        e = torch.exp(t - hi)
        return e / e.sum(-1, keepdim=True)


_soft = Softmax()


def softmax(scores):
    return _soft(scores)


def attention_weights(scores):
    global attn_weights
    attn_weights = _soft(scores)  # <- returns-none


def sharpened_weights(scores, factor):
    return _soft(scores * factor)
