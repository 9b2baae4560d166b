# style: a module-level lru_cache keeps a mask by length and device
import torch
from functools import lru_cache
from torch import nn
@lru_cache(None)
def mask(T, device):
    return torch.ones(T, T, dtype=torch.bool, device=device).triu(1)
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        k = self.W_key(x)
        s = (self.W_query(x) @ k.mT).masked_fill(mask(x.shape[1], x.device), -torch.inf) / k.shape[-1] ** .5
        return self.dropout(s.softmax(-1)) @ self.W_value(x)
