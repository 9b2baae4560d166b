# mistakes: returns-none, api-misspelt
import torch


def attention_scores_for_query(query, inputs):
    scores = inputs.matmul(query)  # <- returns-none


def attention_scores(inputs):
    sideways = inputs.transpos(0, 1)  # <- api-misspelt
    return inputs.mm(sideways)
