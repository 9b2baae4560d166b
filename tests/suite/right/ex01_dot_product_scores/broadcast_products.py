# style: broadcasting and a sum, without any matrix product
import torch

def attention_scores_for_query(query, inputs):
    return (inputs * query[None, :]).sum(dim=-1)

def attention_scores(inputs):
    left = inputs.unsqueeze(1)    # (T, 1, d)
    right = inputs.unsqueeze(0)   # (1, T, d)
    return torch.sum(left * right, dim=2)
