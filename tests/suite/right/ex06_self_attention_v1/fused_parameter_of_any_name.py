# style: all three matrices in one parameter that is called W, read through properties
import math

import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W = nn.Parameter(torch.rand(3, d_in, d_out))

    W_query = property(lambda self: self.W[0])
    W_key = property(lambda self: self.W[1])
    W_value = property(lambda self: self.W[2])

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v
