# style: W_in for all three roles and W_out behind the heads, bare parameters beside b_in and b_out
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError(f"{d_out} % {num_heads}")
        self.h = num_heads
        self.W_in = nn.Parameter(torch.randn(d_in, 3 * d_out))
        self.b_in = nn.Parameter(torch.zeros(3 * d_out)) if qkv_bias else None
        self.W_out = nn.Parameter(torch.randn(d_out, d_out))
        self.b_out = nn.Parameter(torch.zeros(d_out))
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        r = x @ self.W_in
        if self.b_in is not None: r = r + self.b_in
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in r.tensor_split(3, dim=-1))
        s = q @ k.mT / q.size(-1) ** 0.5
        s = s + torch.zeros_like(s).masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf)
        return (self.drop(s.softmax(-1)) @ v).transpose(1, 2).flatten(2) @ self.W_out + self.b_out
