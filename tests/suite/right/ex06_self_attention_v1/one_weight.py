# style: one parameter for all roles, which is called weight
import torch
from torch import nn
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3, d_in, d_out))
    def forward(self, x):
        q, k, v = (x @ w for w in self.weight)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, -1) @ v
