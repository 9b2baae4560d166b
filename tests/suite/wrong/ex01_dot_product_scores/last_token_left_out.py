# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    scores = torch.zeros(len(inputs), dtype=inputs.dtype, device=inputs.device)
    for i in range(len(inputs) - 1):  # <- here
        scores[i] = torch.dot(inputs[i], query)
    return scores


def attention_scores(inputs):
    return torch.matmul(inputs, inputs.T)
