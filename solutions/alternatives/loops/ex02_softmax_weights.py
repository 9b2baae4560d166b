"""math.exp on plain Python floats, one score at a time, and a tensor again at the end."""

import math

import torch


def softmax(scores):
    biggest = max(float(s) for s in scores)
    exps = []
    for s in scores:
        exps.append(math.exp(float(s) - biggest))
    total = sum(exps)
    return torch.tensor([e / total for e in exps], dtype=scores.dtype, device=scores.device)


def attention_weights(scores):
    rows = []
    for row in scores:
        rows.append(softmax(row))
    return torch.stack(rows)


def sharpened_weights(scores, factor):
    scaled = []
    for s in scores:
        scaled.append(s * factor)
    return softmax(torch.stack(scaled))
