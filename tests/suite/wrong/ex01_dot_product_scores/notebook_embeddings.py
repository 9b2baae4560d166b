# mistakes: global-variable
import torch

embeddings = torch.tensor([
    [0.42, 0.15, 0.89],
    [0.78, 0.33, 0.21],
    [0.12, 0.44, 0.67],
    [0.56, 0.91, 0.73],
    [0.34, 0.29, 0.85],
    [0.63, 0.11, 0.49],
])


def attention_scores_for_query(query, inputs):
    return torch.stack([torch.dot(row, query) for row in inputs])


def attention_scores(inputs):
    n = inputs.shape[0]
    attn_scores = torch.empty(n, n, dtype=inputs.dtype, device=inputs.device)
    for i, x_i in enumerate(inputs):
        for j in range(n):
            attn_scores[i, j] = torch.dot(x_i, embeddings[j])  # <- global-variable
    return attn_scores
