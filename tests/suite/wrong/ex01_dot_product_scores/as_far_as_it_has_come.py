# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    return torch.stack([query @ x for x in inputs])


def attention_scores(inputs):
    scores = torch.zeros(len(inputs), len(inputs), device=inputs.device, dtype=inputs.dtype)
    for i in range(len(inputs)):
        for j in range(i + 1):  # <- here
            scores[i, j] = inputs[i] @ inputs[j]
    return scores
