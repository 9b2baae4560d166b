# mistakes: none
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{d_out} does not divide by {num_heads}")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        split = lambda y: y.view(b, t, self.num_heads, self.head_dim).transpose(1, 2)
        q, k, v = split(self.W_query(x)), split(self.W_key(x)), split(self.W_value(x))
        mask = torch.ones(t, t, device=x.device, dtype=torch.bool).triu(diagonal=1)
        w = ((q @ k.transpose(-1, -2)) / self.head_dim**0.5).masked_fill(mask, float("-inf")).softmax(dim=-1)
        outs = list((self.dropout(w) @ v).unbind(1))
        return self.out_proj(torch.cat(outs[::-1], dim=-1))  # <- here
