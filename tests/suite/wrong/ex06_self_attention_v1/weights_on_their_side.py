# mistakes: weights-transposed
import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        attn_weights = F.softmax(q @ k.T / k.shape[-1] ** 0.5, dim=-1)
        return attn_weights.T @ v  # <- weights-transposed
