# mistakes: returns-none, global-variable
import torch


def attention_scores_for_query(query, inputs):
    """Listing 3.1, rewritten as a function."""
    attn_scores_2 = torch.empty(inputs.shape[0], dtype=inputs.dtype, device=inputs.device)
    for i, x_i in enumerate(inputs):
        attn_scores_2[i] = torch.dot(x_i, query)  # <- returns-none


def attention_scores(inputs):
    scores = []
    for q in inputs:
        scores.append(torch.stack([torch.dot(q, k) for k in embeddings]))  # <- global-variable
    return torch.stack(scores)
