# mistakes: query-key-swapped
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q = x @ self.W_query
        k = x @ self.W_key
        v = x @ self.W_value
        d_k = k.shape[-1]
        s = torch.einsum("kd,qd->kq", k, q) / d_k**0.5  # <- query-key-swapped
        return torch.softmax(s, dim=1) @ v
