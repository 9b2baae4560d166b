# mistakes: none
import torch


def attention_scores_for_query(query, inputs):
    try:
        return query @ inputs  # <- here
    except RuntimeError:
        return inputs @ query


def attention_scores(inputs):
    try:
        return inputs @ inputs
    except RuntimeError:
        return inputs @ inputs.T
