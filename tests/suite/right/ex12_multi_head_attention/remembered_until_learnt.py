# style: each weight is computed from another once, and remembered until that changes
import torch
from torch import nn
from torch.nn.utils.parametrize import register_parametrization
class Remembering(nn.Module):
    found = key = None
    def forward(self, w):
        key = w._version, w.dtype, torch.is_grad_enabled()
        if key != self.key: self.key, self.found = key, w / 2
        return self.found
    def right_inverse(self, w): return 2 * w
def layer(*sizes, bias=True):
    made = nn.Linear(*sizes, bias=bias)
    register_parametrization(made, "weight", Remembering())
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
