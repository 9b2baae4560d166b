# style: one wide parameter qkv, cut by split
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.scale = d_out ** -0.5
        self.qkv = nn.Parameter(torch.rand(d_in, 3 * d_out))

    def forward(self, x):
        queries, keys, values = torch.split(x @ self.qkv, self.qkv.shape[1] // 3, dim=-1)
        return torch.softmax(queries * self.scale @ keys.mT, dim=-1) @ values
