# style: the largest first by topk, put back by scatter
import torch


def softmax(scores):
    values, indices = scores.topk(scores.numel())
    e = (values - values[0]).exp()
    return torch.zeros_like(scores).scatter(0, indices, e / e.sum())


def attention_weights(scores):
    values, indices = scores.topk(scores.shape[-1], dim=-1)
    e = (values - values[..., :1]).exp()
    return torch.zeros_like(scores).scatter(-1, indices, e / e.sum(-1, keepdim=True))


def sharpened_weights(scores, factor):
    return attention_weights(scores.unsqueeze(0) * factor).squeeze(0)
