# style: keys and values in one layer, and one bias for all three roles
import torch
from torch import nn
P = nn.Parameter
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        i, o = d_in, d_out
        self.has = qkv_bias
        self.q = nn.Linear(i, o, bias=False); self.kv = nn.Linear(i, 2*o, bias=False)
        if qkv_bias:
            self.qkv_bias = P(torch.randn(3*o))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (self.q(x), *self.kv(x).chunk(2, -1))
        if self.has:
            a, b, c = self.qkv_bias.chunk(3)
            q, k, v = q + a, k + b, v + c
        s = q @ k.mT / k.shape[-1] ** .5
        return self.dropout(s.masked_fill(torch.ones_like(s).triu(1) > 0, -torch.inf).softmax(-1)) @ v
