# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    scores = torch.empty(len(query))
    for i in range(len(query)):  # <- here
        scores[i] = query @ inputs[i]
    return scores


def attention_scores(inputs):
    return inputs @ inputs.T
