# style: heads of its own, each with one parameter for all roles and one row of biases
import torch
from torch import nn
class Head(nn.Module):
    def __init__(self, d_in, d_out, dropout, bias):
        super().__init__()
        self.W = nn.Parameter(torch.randn(d_in, 3 * d_out))
        self.b = nn.Parameter(torch.zeros(3 * d_out)) if bias else None
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        qkv = x @ self.W if self.b is None else x @ self.W + self.b
        v, k, q = qkv.chunk(3, -1)
        s = q @ k.mT / k.shape[-1] ** 0.5
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(Head(d_in, d_out, dropout, qkv_bias) for _ in range(num_heads))
    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], -1)
