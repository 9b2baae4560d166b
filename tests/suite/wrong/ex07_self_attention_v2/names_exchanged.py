# mistakes: query-key-swapped
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
        k, q, v = self.W_query(x), self.W_key(x), self.W_value(x)  # <- query-key-swapped
        scaled = torch.einsum("qd,kd->qk", q, k) / self.d_out**0.5
        return torch.einsum("qk,kd->qd", scaled.softmax(dim=-1), v)


def copy_weights(source_v2, target_v1):
    target_v1.W_query = nn.Parameter(source_v2.W_query.weight.detach().T)
    target_v1.W_key = nn.Parameter(source_v2.W_key.weight.detach().T)
    target_v1.W_value = nn.Parameter(source_v2.W_value.weight.detach().T)
