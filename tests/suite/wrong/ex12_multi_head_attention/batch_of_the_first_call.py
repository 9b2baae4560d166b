# mistakes: none
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads, self.head_dim, self.batch = num_heads, d_out // num_heads, None
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if self.batch is None:
            self.batch = x.shape[0]  # <- here
        t = x.shape[1]
        q, k, v = (
            layer(x).view(self.batch, t, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = q @ k.transpose(2, 3) / self.head_dim**0.5
        hidden = torch.ones(t, t, dtype=torch.bool, device=x.device).triu(1)
        weights = self.dropout(scores.masked_fill(hidden, -torch.inf).softmax(-1))
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2))
