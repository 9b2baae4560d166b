# mistakes: input-mutated
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        source_v2.W_query.weight.copy_(target_v1.W_query.T)  # <- input-mutated
        source_v2.W_key.weight.copy_(target_v1.W_key.T)
        source_v2.W_value.weight.copy_(target_v1.W_value.T)
