# style: tiles of two keys, a running maximum and a running sum
import torch
from torch import nn
class CausalAttention(nn.Module):
    """tiles of two keys, a running maximum and a running sum"""
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False, tile=2):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.tile = tile
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        B, T, d = q.shape
        top = q.new_full((B, T, 1), -torch.inf)
        total = q.new_zeros(B, T, 1)
        acc = torch.zeros_like(v)
        i = torch.arange(T, device=x.device)[:, None]
        for start in range(0, T, self.tile):
            j = torch.arange(start, min(start + self.tile, T), device=x.device)
            s = (q @ k[:, j].mT / d ** 0.5).masked_fill(j > i, -torch.inf)
            new = torch.maximum(top, s.amax(-1, keepdim=True))
            p = torch.exp(s - new)
            fix = torch.exp(top - new)
            total = total * fix + p.sum(-1, keepdim=True)
            acc = acc * fix + self.dropout(p) @ v[:, j]
            top = new
        return acc / total
