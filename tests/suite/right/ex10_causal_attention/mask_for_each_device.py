# style: a mask for each device, that of the CPU made beforehand
import torch
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.n = context_length
        self.cache = {}
        self.mask(torch.device("cpu"))
    def mask(self, device):
        if device not in self.cache:
            self.cache[device] = torch.ones(self.n, self.n, dtype=torch.bool, device=device).triu(1)
        return self.cache[device]
    def forward(self, x):
        T = x.shape[1]
        k = self.W_key(x)
        s = (self.W_query(x) @ k.mT).masked_fill(self.mask(x.device)[:T, :T], -torch.inf) / k.shape[-1] ** .5
        return self.dropout(s.softmax(-1)) @ self.W_value(x)
