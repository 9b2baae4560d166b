# mistakes: scale-missing
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super(SelfAttention_v2, self).__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).T
        weights = nn.Softmax(dim=-1)(scores)  # <- scale-missing
        return weights.mm(self.W_value(x))


def copy_weights(source_v2, target_v1):
    target_v1.W_query = nn.Parameter(source_v2.W_query.weight.detach().T)
    target_v1.W_key = nn.Parameter(source_v2.W_key.weight.detach().T)
    target_v1.W_value = nn.Parameter(source_v2.W_value.weight.detach().T)
