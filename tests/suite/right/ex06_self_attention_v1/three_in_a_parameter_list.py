import torch
import torch.nn as nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.qkv = nn.ParameterList([torch.rand(d_in, d_out) for _ in range(3)])
    def forward(self, x):
        q, k, v = [x @ W for W in self.qkv]
        return torch.softmax(q @ k.T / k.shape[-1]**0.5, dim=-1) @ v
