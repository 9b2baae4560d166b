# mistakes: bias-always
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))
        self.b_query = nn.Parameter(torch.zeros(d_out))  # <- bias-always
        self.b_key = nn.Parameter(torch.zeros(d_out))
        self.b_value = nn.Parameter(torch.zeros(d_out))

    def forward(self, x):
        queries = x @ self.W_query + self.b_query
        keys = x @ self.W_key + self.b_key
        values = x @ self.W_value + self.b_value
        return (queries @ keys.T / keys.shape[-1] ** 0.5).softmax(dim=-1) @ values


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        for name in ("W_query", "W_key", "W_value"):
            getattr(target_v1, name).copy_(getattr(source_v2, name))
