# style: torch.func.vmap of torch.dot, once and nested
import torch
from torch.func import vmap


def attention_scores_for_query(query, inputs):
    return vmap(torch.dot, in_dims=(None, 0))(query, inputs)


def attention_scores(inputs):
    return vmap(attention_scores_for_query, in_dims=(0, None))(inputs, inputs)
