# mistakes: scale-no-sqrt
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """The heads stay where they are; einsum finds them."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.head_dim, rest = divmod(d_out, num_heads)
        if rest != 0:
            raise ValueError(f"{d_out} cannot be split into {num_heads} heads")
        self.h = num_heads
        self.q_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v_proj = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.o_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        T = x.shape[1]
        q = self.q_proj(x).unflatten(-1, (self.h, self.head_dim))  # (B, T, H, d)
        k = self.k_proj(x).unflatten(-1, (self.h, self.head_dim))
        v = self.v_proj(x).unflatten(-1, (self.h, self.head_dim))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k)
        scores = scores / self.head_dim  # <- scale-no-sqrt
        future = torch.arange(T, device=x.device)[:, None] < torch.arange(T, device=x.device)[None, :]
        scores = scores.masked_fill(future, -1e9)
        probs = torch.softmax(scores, dim=3)
        probs = self.drop(probs)
        mixed = torch.einsum("bhqk,bkhd->bqhd", probs, v)
        mixed = mixed.flatten(2)
        return self.o_proj(mixed)
