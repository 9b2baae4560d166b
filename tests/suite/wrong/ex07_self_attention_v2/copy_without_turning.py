# mistakes: weights-transposed
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super(SelfAttention_v2, self).__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=qkv_bias))

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        target_v1.W_value.copy_(source_v2.W_value.weight)  # <- weights-transposed
        target_v1.W_query.copy_(source_v2.W_query.weight)
        target_v1.W_key.copy_(source_v2.W_key.weight)
