# mistakes: weights-transposed
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        values = x @ self.W_value
        keys = x @ self.W_key
        queries = x @ self.W_query.T  # <- weights-transposed
        scores = queries @ keys.T / keys.shape[-1] ** 0.5
        return scores.softmax(dim=-1) @ values
