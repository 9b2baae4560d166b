# style: the length of a weight as a whole is learnt by itself, with weight_norm
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (weight_norm(nn.Linear(d_in, d_out, bias=qkv_bias), dim=None) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** .5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.dropout(s.softmax(-1)) @ v
