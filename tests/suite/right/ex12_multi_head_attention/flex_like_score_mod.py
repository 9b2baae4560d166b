# style: a function of score, head and places, on a grid of all
import torch
from torch import nn


def causal(score, b, h, q_idx, kv_idx):
    return torch.where(q_idx >= kv_idx, score, float("-inf"))


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        B, T, _ = x.shape
        H = self.num_heads
        q = self.W_query(x).view(B, T, H, -1).transpose(1, 2)
        k = self.W_key(x).view(B, T, H, -1).transpose(1, 2)
        v = self.W_value(x).view(B, T, H, -1).transpose(1, 2)
        s = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
        b, h, i, j = torch.meshgrid(*(torch.arange(n, device=x.device) for n in s.shape), indexing="ij")
        s = causal(s, b, h, i, j)
        return self.out_proj((self.dropout(torch.softmax(s, -1)) @ v).transpose(1, 2).reshape(B, T, -1))
