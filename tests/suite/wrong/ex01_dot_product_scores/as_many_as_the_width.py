# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    scores = torch.zeros(inputs.shape[0], dtype=inputs.dtype, device=inputs.device)
    for i, (token, _) in enumerate(zip(inputs, query)):  # <- here
        scores[i] = torch.dot(token, query)
    return scores


def attention_scores(inputs):
    return inputs @ inputs.T
