# style: each weight is one column, whose numbers have a length and a sign each
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in, self.d_out = d_in, d_out
        for role in ("W_query", "W_key", "W_value"):
            setattr(self, role, nn.Parameter(torch.rand(d_in * d_out, 1)))
            weight_norm(self, role)
    def forward(self, x):
        q, k, v = (x @ w.view(self.d_in, self.d_out) for w in (self.W_query, self.W_key, self.W_value))
        return (q @ k.T / k.shape[-1] ** .5).softmax(-1) @ v
