# mistakes: query-key-swapped
import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.softmax(q @ k.T / self.d_out ** 0.5, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        q, k, v = source_v2.W_query.weight, source_v2.W_key.weight, source_v2.W_value.weight
        target_v1.W_query.copy_(k.T)  # <- query-key-swapped
        target_v1.W_key.copy_(q.T)
        target_v1.W_value.copy_(v.T)
