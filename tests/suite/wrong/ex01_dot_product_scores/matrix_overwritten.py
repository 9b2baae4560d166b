# mistakes: input-mutated
import torch


def attention_scores_for_query(query, inputs):
    return (inputs * query).sum(-1)


def attention_scores(inputs):
    rows = []
    for token in inputs.clone():
        inputs *= token  # <- input-mutated
        rows.append(inputs.sum(dim=-1))
    return torch.stack(rows)
