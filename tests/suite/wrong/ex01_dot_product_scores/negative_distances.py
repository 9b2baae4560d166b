# mistakes: none
import torch

# scores = how similar two words are, the closer the higher


def attention_scores_for_query(query, inputs):
    diff = inputs - query[None, :]
    return -torch.sqrt((diff**2).sum(dim=1))  # <- here


def attention_scores(inputs):
    n = len(inputs)
    table = torch.zeros(n, n, dtype=inputs.dtype, device=inputs.device)
    for i, x_i in enumerate(inputs):
        for j, x_j in enumerate(inputs):
            table[i, j] = torch.dot(x_i, x_j)
    return table
