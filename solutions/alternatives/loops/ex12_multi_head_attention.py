"""Loops where they cost no matrix product per head: the heads are cut out and put back by slices in a loop,
and each sequence of the batch is attended on its own, all its heads at once."""

import math

import torch


class MultiHeadAttention(torch.nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim = d_out // num_heads
        if self.head_dim * num_heads != d_out:
            raise ValueError("d_out must be divisible by num_heads!")
        self.num_heads = num_heads
        self.W_query = torch.nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = torch.nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = torch.nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = torch.nn.Linear(d_out, d_out)
        self.dropout = torch.nn.Dropout(dropout)

    def split_heads(self, x):
        heads = []
        for h in range(self.num_heads):
            start = h * self.head_dim
            heads.append(x[:, start : start + self.head_dim])
        return torch.stack(heads)  # (num_heads, T, head_dim)

    def merge_heads(self, heads):
        return torch.cat([head for head in heads], dim=-1)

    def forward(self, x):
        T = x.shape[1]
        mask = torch.zeros(T, T, dtype=torch.bool, device=x.device)
        for i in range(T):
            mask[i, i + 1 :] = True
        outputs = []
        for sequence in x:
            queries = self.split_heads(self.W_query(sequence))
            keys = self.split_heads(self.W_key(sequence))
            values = self.split_heads(self.W_value(sequence))
            scores = queries @ keys.transpose(1, 2) / math.sqrt(self.head_dim)
            scores[:, mask] = -math.inf
            weights = self.dropout(torch.softmax(scores, dim=-1))
            outputs.append(self.out_proj(self.merge_heads(weights @ values)))
        return torch.stack(outputs)
