# mistakes: global-variable
import torch

attn_scores_2 = torch.tensor([0.5640, 0.7614, 0.3795, 0.8904, 0.5394, 0.6306])


def softmax(scores):
    e = torch.exp(scores - attn_scores_2.max())  # <- global-variable
    return e / e.sum(dim=0)


def attention_weights(scores):
    return torch.softmax(scores, dim=-1)


def sharpened_weights(scores, factor):
    return torch.softmax(scores * factor, dim=-1)
