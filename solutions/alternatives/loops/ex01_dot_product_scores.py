"""Everything spelt out with loops: a dot product is a running sum, and a matrix of scores is rows put in a
list and stacked."""

import torch


def dot(a, b):
    total = a[0] * b[0]
    for i in range(1, len(a)):
        total = total + a[i] * b[i]
    return total


def attention_scores_for_query(query, inputs):
    scores = []
    for token in inputs:
        scores.append(dot(query, token))
    return torch.stack(scores)


def attention_scores(inputs):
    rows = []
    for query in inputs:
        rows.append(attention_scores_for_query(query, inputs))
    return torch.stack(rows)
