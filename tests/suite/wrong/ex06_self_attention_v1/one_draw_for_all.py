# mistakes: none
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        w = torch.rand(d_in, d_out)
        self.W_query = nn.Parameter(w.clone())
        self.W_key = nn.Parameter(w.clone())  # <- here
        self.W_value = nn.Parameter(w.clone())

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        return weights @ values
