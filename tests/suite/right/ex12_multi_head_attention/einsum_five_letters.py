# style: unflatten and einsum, no transpose anywhere; the mask from tril in forward
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        head_dim, rest = divmod(d_out, num_heads)
        if rest != 0:
            raise ValueError(f"{d_out=} does not divide by {num_heads=}")
        self.shape = (num_heads, head_dim)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (layer(x).unflatten(-1, self.shape) for layer in (self.W_query, self.W_key, self.W_value))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / self.shape[1] ** 0.5
        seen = torch.tril(torch.ones_like(scores[0, 0], dtype=torch.bool))
        weights = self.dropout(scores.masked_fill(~seen, -torch.inf).softmax(-1))
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(start_dim=2))
