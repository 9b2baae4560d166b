# mistakes: global-variable
import torch


def attention_scores_for_query(query, inputs):
    attn_scores_2 = torch.empty(inputs.shape[0], dtype=inputs.dtype, device=inputs.device)
    for i, x_i in enumerate(inputs):
        attn_scores_2[i] = torch.dot(x_i, query_2)  # <- global-variable
    return attn_scores_2


def attention_scores(inputs):
    return torch.einsum("id,jd->ij", inputs, inputs)
