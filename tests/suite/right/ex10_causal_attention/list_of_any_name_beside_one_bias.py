# style: three layers in a list of any name, and one bias for all of them
import torch
from torch import nn
P = nn.Parameter
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        i, o = d_in, d_out
        self.has = qkv_bias
        self.layers = nn.ModuleList([nn.Linear(i, o, bias=False) for _ in range(3)])
        if qkv_bias:
            self.bias_qkv = P(torch.randn(1, 1, 3*o))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (l(x) for l in self.layers)
        if self.has:
            a, b, c = self.bias_qkv.chunk(3, -1)
            q, k, v = q + a, k + b, v + c
        s = q @ k.mT / k.shape[-1] ** .5
        return self.dropout(s.masked_fill(torch.ones_like(s).triu(1) > 0, -torch.inf).softmax(-1)) @ v
