# style: exp, the future set to zero, divided by a sum to which a little is added so that it is never zero
# only: float32, bfloat16; what is added to the sum shows in float64, and is nothing in float16
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
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        seen = torch.exp(q @ k.mT / k.shape[-1] ** 0.5).tril()
        return self.dropout(seen / (seen.sum(-1, keepdim=True) + 1e-9)) @ v
