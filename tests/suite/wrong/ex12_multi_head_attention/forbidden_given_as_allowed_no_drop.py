# mistakes: mask-inverted, dropout-missing
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.dropout = dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        b, t, _ = x.shape
        q = self.W_query(x).view(b, t, self.num_heads, -1).transpose(1, 2)
        k = self.W_key(x).view(b, t, self.num_heads, -1).transpose(1, 2)
        v = self.W_value(x).view(b, t, self.num_heads, -1).transpose(1, 2)
        context = F.scaled_dot_product_attention(  # <- dropout-missing
            q, k, v, attn_mask=self.mask[:t, :t]  # <- mask-inverted
        )
        return self.out_proj(context.transpose(1, 2).reshape(b, t, -1))
