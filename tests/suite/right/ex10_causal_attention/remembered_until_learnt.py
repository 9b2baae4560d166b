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
def layer(*sizes, bias):
    made = nn.Linear(*sizes, bias=bias)
    register_parametrization(made, "weight", Remembering())
    return made
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (layer(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** .5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.dropout(s.softmax(-1)) @ v
