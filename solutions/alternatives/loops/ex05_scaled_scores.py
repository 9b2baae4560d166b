"""Loops over queries and keys; the experiment runs one trial after another and works out the variance by
hand, so the answers are Python floats."""

import math

import torch


def scaled_scores(queries, keys):
    root = math.sqrt(keys.shape[1])
    rows = []
    for query in queries:
        row = []
        for key in keys:
            row.append(torch.dot(query, key) / root)
        rows.append(torch.stack(row))
    return torch.stack(rows)


def scaled_dot_product_attention(queries, keys, values):
    contexts = []
    for row in scaled_scores(queries, keys):
        weights = torch.softmax(row, dim=0)
        context = torch.zeros_like(values[0])
        for weight, value in zip(weights, values, strict=True):
            context = context + weight * value
        contexts.append(context)
    return torch.stack(contexts)


def variance(numbers):
    mean = sum(numbers) / len(numbers)
    return sum((number - mean) ** 2 for number in numbers) / len(numbers)


def dot_product_variance(dim, num_trials, generator):
    before = []
    after = []
    for _ in range(num_trials):
        q = torch.randn(dim, generator=generator, device=generator.device)
        k = torch.randn(dim, generator=generator, device=generator.device)
        score = float(torch.dot(q, k))
        before.append(score)
        after.append(score / math.sqrt(dim))
    return variance(before), variance(after)
