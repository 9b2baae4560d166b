# style: an additive three-dimensional float buffer of -1e9, not saved with the module; baddbmm
import math
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        bias = torch.triu(torch.ones(1, context_length, context_length), diagonal=1) * -1e9
        self.register_buffer("bias", bias, persistent=False)
        self.dropout = nn.Dropout(dropout)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.alpha = 1 / math.sqrt(d_out)

    def forward(self, x):
        n = x.size(1)
        bias = self.bias[:, :n, :n].expand(x.size(0), n, n)
        scores = torch.baddbmm(bias, self.W_query(x), self.W_key(x).transpose(-1, -2), alpha=self.alpha)
        return torch.bmm(self.dropout(torch.softmax(scores, -1)), self.W_value(x))
