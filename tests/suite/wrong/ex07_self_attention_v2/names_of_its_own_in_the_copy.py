# mistakes: weights-transposed
import torch
from torch import nn
import torch.nn.functional as F


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.weights = nn.ParameterDict({role: torch.randn(d_in, d_out) for role in "qkv"})  # <- weights-transposed
        self.biases = nn.ParameterDict({role: torch.zeros(d_out) for role in "qkv"} if qkv_bias else {})

    def forward(self, x):
        q, k, v = (F.linear(x, self.weights[r], self.biases[r] if r in self.biases else None) for r in "qkv")
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        target_v1.W_query.copy_(source_v2.weights["q"].T)
        target_v1.W_key.copy_(source_v2.weights["k"].T)
        target_v1.W_value.copy_(source_v2.weights["v"].T)
