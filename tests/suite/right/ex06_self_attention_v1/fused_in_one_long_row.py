# style: one long row of numbers, the three matrices seen in it as they are used
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in, self.d_out = d_in, d_out
        self.W_qkv = nn.Parameter(torch.rand(3 * d_in * d_out))

    def forward(self, x):
        q, k, v = x @ self.W_qkv.view(3, self.d_in, self.d_out)
        return torch.softmax(q @ k.T / self.d_out**0.5, dim=-1) @ v
