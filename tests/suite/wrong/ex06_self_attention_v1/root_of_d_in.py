# mistakes: scale-wrong-width
import math

import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in = d_in
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def attend(self, q, k):
        return torch.softmax(q @ k.T / math.sqrt(self.d_in), dim=-1)  # <- scale-wrong-width

    def forward(self, x):
        return self.attend(x @ self.W_query, x @ self.W_key) @ (x @ self.W_value)
