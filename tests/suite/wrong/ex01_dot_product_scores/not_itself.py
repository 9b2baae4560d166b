# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    scores = []
    for x in inputs:
        total = 0.0
        for a, b in zip(x, query):
            total = total + a * b
        scores.append(total)
    return torch.stack(scores)


def attention_scores(inputs):
    scores = inputs @ inputs.mT
    return scores.fill_diagonal_(0)  # <- here
