# mistakes: scale-wrong-width
import torch
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.scale = d_in**-0.5  # <- scale-wrong-width
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))

    def forward(self, x):
        return ((x @ self.W_query * self.scale) @ (x @ self.W_key).T).softmax(-1) @ (x @ self.W_value)
