# style: what is learnt later is added to each weight by two thin matrices, with parametrize
import torch
from torch import nn
from torch.nn.utils.parametrize import register_parametrization
class LowRank(nn.Module):
    def __init__(self, rows, columns, rank=2):
        super().__init__()
        self.down, self.up = nn.Parameter(torch.randn(rank, columns)), nn.Parameter(torch.zeros(rows, rank))
    def forward(self, w): return w + self.up @ self.down
def layer(d_in, d_out, bias=True):
    made = nn.Linear(d_in, d_out, bias=bias)
    register_parametrization(made, "weight", LowRank(d_out, d_in))
    return made
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        for role in ("W_query", "W_key", "W_value"):
            self.add_module(role, layer(d_in, d_out, bias=qkv_bias))
        self.out_proj = layer(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)
        s = q @ k.mT / k.shape[-1] ** .5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.out_proj((self.dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
