# style: math.exp on Python numbers, a list comprehension and torch.tensor at the end
import math
import torch


def softmax(scores):
    numbers = scores.tolist()
    biggest = max(numbers)
    exps = [math.exp(n - biggest) for n in numbers]
    total = math.fsum(exps)
    return torch.tensor([e / total for e in exps], dtype=scores.dtype, device=scores.device)


def attention_weights(scores):
    weights = torch.zeros_like(scores)
    for i in range(scores.shape[0]):
        weights[i] = softmax(scores[i])
    return weights


def sharpened_weights(scores, factor):
    return softmax(scores * factor)
