# mistakes: softmax-twice
import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        n = x.shape[1]
        hide = torch.ones(n, n, device=x.device).triu(1).bool()
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** 0.5
        w = s.softmax(-1)
        w = w.masked_fill(hide, -torch.inf)
        w = self.drop(F.softmax(w, dim=-1))  # <- softmax-twice
        return w @ v

