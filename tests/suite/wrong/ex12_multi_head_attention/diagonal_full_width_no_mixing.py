# mistakes: mask-diagonal, scale-wrong-width, out-proj-missing
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=2))  # <- mask-diagonal

    def forward(self, x):
        b, n, _ = x.shape
        shape = (b, n, self.num_heads, self.head_dim)
        k = self.W_key(x).view(shape).transpose(1, 2)
        q = self.W_query(x).view(shape).transpose(1, 2)
        v = self.W_value(x).view(shape).transpose(1, 2)
        attn = q @ k.transpose(2, 3)
        attn.masked_fill_(self.mask.bool()[:n, :n], -torch.inf)
        attn = torch.softmax(attn / self.d_out**0.5, dim=-1)  # <- scale-wrong-width
        attn = self.dropout(attn)
        z = (attn @ v).transpose(1, 2)
        return z.contiguous().view(b, n, self.d_out)  # <- out-proj-missing
