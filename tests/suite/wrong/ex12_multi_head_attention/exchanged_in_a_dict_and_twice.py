# mistakes: query-key-swapped, softmax-twice
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.softmax = nn.Softmax(dim=-1)

    def scores(self, q, k):
        T = q.shape[-2]
        s = torch.matmul(k, q.transpose(-2, -1)) / self.head_dim**0.5  # <- query-key-swapped
        s = s + torch.full((T, T), -torch.inf, device=s.device).triu(1)
        return self.softmax(s)

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = [
            layer(x).view(b, n, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
            for layer in [self.W_query, self.W_key, self.W_value]
        ]
        weights = self.softmax(self.scores(q, k))  # <- softmax-twice
        weights = self.dropout(weights)
        return self.out_proj((weights @ v).permute(0, 2, 1, 3).flatten(2))
