# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    return inputs @ query


def attention_scores(inputs):
    tokens = inputs.tolist()
    scores = torch.zeros(len(tokens), len(tokens), dtype=inputs.dtype)
    for token in tokens:
        i = tokens.index(token)  # <- here
        scores[i] = attention_scores_for_query(inputs[i], inputs)
    return scores
