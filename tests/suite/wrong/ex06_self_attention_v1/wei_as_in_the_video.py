# mistakes: scale-missing
import torch
import torch.nn as nn
from torch.nn import functional as F


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        T, C = x.shape
        k = x @ self.W_key
        q = x @ self.W_query
        # compute attention scores ("affinities")
        wei = q @ k.transpose(-2, -1)  # <- scale-missing
        wei = F.softmax(wei, dim=-1)
        v = x @ self.W_value
        out = wei @ v
        return out
