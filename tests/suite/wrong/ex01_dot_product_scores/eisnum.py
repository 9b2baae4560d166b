# mistakes: api-misspelt
import torch


def attention_scores_for_query(query, inputs):
    return torch.eisnum("d,td->t", query, inputs)  # <- api-misspelt


def attention_scores(inputs):
    return torch.stack([attention_scores_2(x, inputs) for x in inputs])


def attention_scores_2(q, tokens):
    return (tokens * q).sum(dim=1)
