# style: the length of a weight as a whole is learnt by itself, with weight_norm
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for role in ("W_query", "W_key", "W_value"):
            setattr(self, role, nn.Parameter(torch.rand(d_in, d_out)))
            weight_norm(self, role, dim=None)
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return (q @ k.T / k.shape[-1] ** .5).softmax(-1) @ v
