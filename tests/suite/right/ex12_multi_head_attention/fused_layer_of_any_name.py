# style: one Linear called attn for all three roles and one called proj behind the heads, in the form of a vision transformer
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out is not a multiple of num_heads")
        self.num_heads = num_heads
        self.attn = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.proj = nn.Linear(d_out, d_out)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        qkv = self.attn(x).reshape(B, T, 3, self.num_heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        scores = scores.masked_fill(torch.ones(T, T, device=x.device).triu(1).bool(), -torch.inf)
        weights = self.attn_drop(scores.softmax(dim=-1))
        return self.proj((weights @ v).transpose(1, 2).reshape(B, T, -1))
