# style: the scores as x (Wq Wk^T) x^T, and the context as (A x) Wv
import torch
import torch.nn as nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))
        self.scale = d_out**-0.5

    def forward(self, x):
        bilinear = self.W_query @ self.W_key.T * self.scale
        attn = torch.softmax(x @ bilinear @ x.T, dim=-1)
        return attn @ x @ self.W_value
