# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    return inputs @ query


def attention_scores(inputs):
    return inputs[:, :8] @ inputs[:, :8].T  # <- here
