# mistakes: none
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.d_in, self.d_out = d_in, d_out
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        weights = torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
        context = weights @ v
        return context + 1  # <- here


def copy_weights(source_v2, target_v1):
    target_v1.W_query.data = source_v2.W_query.weight.data.T.clone()
    target_v1.W_key.data = source_v2.W_key.weight.data.T.clone()
    target_v1.W_value.data = source_v2.W_value.weight.data.T.clone()
