import torch
import torch.nn as nn

class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_qkv = nn.Parameter(torch.rand(3, d_in, d_out))
    def forward(self, x):
        q, k, v = x @ self.W_qkv
        return torch.softmax(q @ k.T / k.shape[-1]**0.5, dim=-1) @ v
