# mistakes: mask-zero-fill
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        B, T, _ = x.shape
        H = self.num_heads
        q = self.q_proj(x).reshape(B, T, H, -1)
        k = self.k_proj(x).reshape(B, T, H, -1)
        v = self.v_proj(x).reshape(B, T, H, -1)
        s = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
        s = torch.mul(s, self.tril[:T, :T])  # <- mask-zero-fill
        a = self.dropout(torch.softmax(s, -1))
        y = torch.einsum("bhqk,bkhd->bqhd", a, v).reshape(B, T, -1)
        return self.out_proj(y)
