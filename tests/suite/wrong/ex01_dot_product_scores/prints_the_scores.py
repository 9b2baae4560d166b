# mistakes: returns-none
import torch


def attention_scores_for_query(query, inputs):
    out = torch.mv(inputs, query)
    return out


def attention_scores(inputs):
    all_scores = torch.matmul(inputs, inputs.transpose(0, 1))
    print(all_scores)  # <- returns-none
