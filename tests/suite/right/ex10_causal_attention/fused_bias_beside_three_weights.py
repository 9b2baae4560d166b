# style: three weights of their own, and one bias for all of them
import torch
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.randn(d_in, d_out)) for _ in range(3))
        self.qkv_bias = nn.Parameter(torch.randn(3, d_out)) if qkv_bias else None
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        if self.qkv_bias is not None:
            q, k, v = q + self.qkv_bias[0], k + self.qkv_bias[1], v + self.qkv_bias[2]
        s = q @ k.mT / k.shape[-1] ** .5
        return self.dropout(s.masked_fill(torch.ones_like(s).triu(1) > 0, -torch.inf).softmax(-1)) @ v
