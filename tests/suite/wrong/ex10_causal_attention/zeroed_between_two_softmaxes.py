# mistakes: mask-after-softmax, softmax-twice
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.transpose(1, 2)
        w = torch.softmax(s / k.shape[-1] ** 0.5, dim=-1)
        mask = torch.tril(torch.ones(n, n, device=x.device))
        w = w * mask  # <- mask-after-softmax
        w = torch.softmax(w, dim=-1)  # <- softmax-twice
        w = self.dropout(w)
        return w @ v
