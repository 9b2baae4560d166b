# style: two nn.ParameterDict, one of weights and one of biases, under letters
import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.weights = nn.ParameterDict({role: torch.randn(d_out, d_in) / d_in**0.5 for role in "qkv"})
        self.biases = nn.ParameterDict({role: torch.zeros(d_out) for role in "qkv"} if qkv_bias else {})

    def forward(self, x):
        q, k, v = (F.linear(x, self.weights[role], self.biases.get(role)) for role in "qkv")
        return (q @ k.mT / k.size(-1) ** 0.5).softmax(-1) @ v


@torch.no_grad()
def copy_weights(source_v2, target_v1):
    for role, name in zip("qkv", ("W_query", "W_key", "W_value")):
        getattr(target_v1, name).copy_(source_v2.weights[role].T)
