# style: out_proj's weight cut by heads and summed over them in one einsum; heads cut by unfold
import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "indivisible"
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = (
            layer(x).unfold(-1, self.head_dim, self.head_dim) for layer in (self.W_query, self.W_key, self.W_value)
        )
        hidden = torch.ones(T, T, device=x.device).triu(1) > 0
        s = torch.einsum("bqhd,bkhd->bhqk", q * self.head_dim**-0.5, k).masked_fill(hidden, -torch.inf)
        z = torch.einsum("bhqk,bkhd->bqhd", self.dropout(torch.softmax(s, -1)), v)
        mixing = self.out_proj.weight.unflatten(1, (self.num_heads, self.head_dim))
        return torch.einsum("bqhd,ohd->bqo", z, mixing) + self.out_proj.bias
