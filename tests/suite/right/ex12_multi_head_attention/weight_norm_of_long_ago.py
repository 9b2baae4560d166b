# style: torch's older weight_norm, which computes the weights before each call
import torch
from torch import nn
from torch.nn.utils import weight_norm
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        for role in ("W_query", "W_key", "W_value"):
            self.add_module(role, weight_norm(nn.Linear(d_in, d_out, bias=qkv_bias)))
        self.out_proj = weight_norm(nn.Linear(d_out, d_out))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        q, k, v = (layer(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for layer in layers)
        s = q @ k.mT / k.shape[-1] ** .5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.out_proj((self.dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
