# mistakes: none
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must be divisible by num_heads")
        self.h, self.d_h = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (
            layer(x).reshape(B, T, self.h, self.d_h).permute(0, 2, 1, 3)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / self.d_h**0.5
        later = torch.ones(T, T, device=x.device).triu(1) > 0
        scores = torch.where(later, -100.0, scores)  # <- here
        weights = self.drop(scores.softmax(-1))
        return self.out_proj(torch.einsum("bhij,bhjd->bihd", weights, v).reshape(B, T, -1))
