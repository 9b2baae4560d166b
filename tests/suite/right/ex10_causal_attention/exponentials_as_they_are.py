# style: exp of scores that nothing is taken off, hidden ones made 0, divided by their sum
# only: float32, float64, bfloat16; exponentials that nothing is taken off are too large for float16
import torch
import torch.nn as nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        T = x.size(1)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        e = torch.exp(q @ k.mT / k.size(-1) ** 0.5)
        e = e * torch.tril(torch.ones(T, T, dtype=e.dtype, device=e.device))
        return self.dropout(e / e.sum(-1, keepdim=True)) @ v
