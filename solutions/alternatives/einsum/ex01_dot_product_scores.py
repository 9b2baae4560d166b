"""Dot products named by their axes: torch.einsum contracts the embedding axis, so no transpose is ever
written."""

import torch


def attention_scores_for_query(query, inputs):
    return torch.einsum("d,td->t", query, inputs)


def attention_scores(inputs):
    # i asks, j answers
    return torch.einsum("id,jd->ij", inputs, inputs)
