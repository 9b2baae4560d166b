# style: three parameters in a list whose name says nothing of what they are
import torch
from torch import nn
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.linears = nn.ParameterList([nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3)])
    def forward(self, x):
        q, k, v = (x @ w for w in self.linears)
        return torch.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1) @ v
