# mistakes: query-key-swapped
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        q, k, v = source_v2.qkv.weight.chunk(3)
        target_v1.W_query.copy_(k.T)  # <- query-key-swapped
        target_v1.W_key.copy_(q.T)
        target_v1.W_value.copy_(v.T)
