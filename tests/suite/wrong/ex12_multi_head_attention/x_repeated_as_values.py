# mistakes: values-unprojected
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("d_out must be divisible by num_heads")
        self.num_heads = num_heads
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        q = self.W_query(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        k = self.W_key(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
        causal = torch.ones(T, T, device=x.device).triu(1) > 0
        weights = self.dropout(scores.masked_fill(causal, -torch.inf).softmax(-1))
        context = weights @ x.unsqueeze(1)  # <- values-unprojected
        context = context.transpose(1, 2).reshape(B, T, -1)
        return self.out_proj(context)
