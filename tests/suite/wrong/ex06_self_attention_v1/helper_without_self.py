# mistakes: self-missing
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def _scores(self, x):
        queries, keys = x @ self.W_query, x @ W_key  # <- self-missing
        return queries @ keys.T / keys.shape[-1] ** 0.5

    def forward(self, x):
        weights = torch.softmax(self._scores(x), dim=-1)
        return weights @ (x @ self.W_value)
