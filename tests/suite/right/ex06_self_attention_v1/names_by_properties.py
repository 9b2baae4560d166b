import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    """One list of matrices, and a name for each."""

    def __init__(self, d_in, d_out):
        super().__init__()
        self.matrices = nn.ParameterList(nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))

    W_query = property(lambda self: self.matrices[0])
    W_key = property(lambda self: self.matrices[1])
    W_value = property(lambda self: self.matrices[2])

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        return weights @ values
