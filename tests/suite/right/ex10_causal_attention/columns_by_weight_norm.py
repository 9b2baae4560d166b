# style: each weight is one column, whose numbers have a length and a sign each
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
class Projection(nn.Module):
    def __init__(self, d_in, d_out, bias):
        super().__init__()
        self.sizes = d_out, d_in
        self.weight = nn.Parameter(torch.randn(d_out * d_in, 1))
        self.bias = nn.Parameter(torch.zeros(d_out)) if bias else None
        weight_norm(self)
    def forward(self, x): return F.linear(x, self.weight.view(self.sizes), self.bias)
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (Projection(d_in, d_out, qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** .5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.dropout(s.softmax(-1)) @ v
