# mistakes: none
import torch
import torch.nn.functional as F


def attention_scores_for_query(query, inputs):
    return inputs @ query


def attention_scores(inputs):
    unit = F.normalize(inputs, dim=-1)  # <- here
    return unit @ unit.T
