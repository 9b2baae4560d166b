# style: heads folded into the batch axis, torch.bmm and baddbmm, scaled queries
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("does not divide")
        self.H = num_heads
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.full((1, context_length, context_length), float("-inf")).triu(1))

    def fold(self, t):
        B, T, D = t.shape
        return t.reshape(B, T, self.H, D // self.H).permute(0, 2, 1, 3).reshape(B * self.H, T, D // self.H)

    def unfold(self, t):
        BH, T, d = t.shape
        return t.reshape(BH // self.H, self.H, T, d).permute(0, 2, 1, 3).reshape(BH // self.H, T, self.H * d)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = self.fold(self.W_query(x)), self.fold(self.W_key(x)), self.fold(self.W_value(x))
        q = q * q.shape[-1] ** -0.5
        w = torch.baddbmm(self.mask[:, :T, :T], q, k.mT).softmax(dim=-1)
        return self.out_proj(self.unfold(torch.bmm(self.dropout(w), v)))
