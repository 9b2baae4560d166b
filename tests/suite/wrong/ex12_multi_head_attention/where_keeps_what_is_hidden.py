# mistakes: mask-inverted
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        later = torch.arange(context_length)[None, :] > torch.arange(context_length)[:, None]
        self.register_buffer("mask", later)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = q @ k.transpose(2, 3) / k.shape[-1] ** 0.5
        hidden = self.mask[:t, :t]
        scores = torch.where(hidden, scores, -torch.inf)  # <- mask-inverted
        weights = self.dropout(scores.softmax(dim=-1))
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
