# style: weights that a parametrization hands on times 1, read once for several uses
import torch
from torch import nn
from torch.nn.utils import parametrize
class Beobachtet(nn.Module):
    def forward(self, W):
        return W * 1.0
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for n in ("W_query", "W_key", "W_value"):
            self.register_parameter(n, nn.Parameter(torch.rand(d_in, d_out)))
            parametrize.register_parametrization(self, n, Beobachtet())
    def forward(self, x):
        with parametrize.cached():
            q = x @ self.W_query
            k = x @ self.W_key
            v = x @ self.W_value
        return torch.softmax(q @ k.T * k.shape[1] ** -0.5, dim=1) @ v
