# mistakes: weights-transposed
import torch
from torch import nn
import torch.nn.functional as F


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        make = lambda: nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query, self.W_key, self.W_value = make(), make(), make()

    def forward(self, x):
        q, k, v = [x @ layer.weight for layer in (self.W_query, self.W_key, self.W_value)]  # <- weights-transposed
        w = F.softmax(torch.einsum("id,jd->ij", q, k) / q.size(-1) ** 0.5, dim=1)
        return torch.einsum("ij,jd->id", w, v)


def copy_weights(source_v2, target_v1):
    pairs = [(source_v2.W_query, "W_query"), (source_v2.W_key, "W_key"), (source_v2.W_value, "W_value")]
    for layer, name in pairs:
        setattr(target_v1, name, nn.Parameter(layer.weight.detach().t().clone()))
