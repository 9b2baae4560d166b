# mistakes: query-key-swapped, weights-transposed
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        att = torch.mm(k, q.T) / k.shape[-1] ** 0.5  # <- query-key-swapped
        return att.softmax(1) @ v


def copy_weights(source_v2, target_v1):
    pairs = zip(target_v1.parameters(), (source_v2.W_query, source_v2.W_key, source_v2.W_value))
    for parameter, layer in pairs:
        parameter.data = layer.weight.data.clone()  # <- weights-transposed
