# style: view, transpose, flatten; the copy by cat inside no_grad; identity by eye_ and zeros_
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        total = num_heads * d_out
        self.num_heads, self.head_dim = num_heads, d_out
        self.W_query = nn.Linear(d_in, total, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, total, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, total, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), 1).bool())

    def forward(self, x):
        B, T, _ = x.shape
        q = self.W_query(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        scores = (q @ k.transpose(2, 3)).masked_fill(self.mask[:T, :T], -torch.inf)
        weights = self.dropout(torch.softmax(scores / self.head_dim**0.5, dim=-1))
        return (weights @ v).transpose(1, 2).reshape(B, T, -1)


def copy_heads(wrapper, split):
    with torch.no_grad():
        split.W_query.weight.copy_(torch.cat([h.W_query.weight for h in wrapper.heads], dim=0))
        split.W_key.weight.copy_(torch.cat([h.W_key.weight for h in wrapper.heads], dim=0))
        split.W_value.weight.copy_(torch.cat([h.W_value.weight for h in wrapper.heads], dim=0))
        if split.W_query.bias is not None:
            split.W_query.bias.copy_(torch.cat([h.W_query.bias for h in wrapper.heads]))
            split.W_key.bias.copy_(torch.cat([h.W_key.bias for h in wrapper.heads]))
            split.W_value.bias.copy_(torch.cat([h.W_value.bias for h in wrapper.heads]))
        if hasattr(split, "out_proj"):
            split.out_proj.weight.copy_(torch.eye(split.out_proj.weight.shape[0]))
            split.out_proj.bias.zero_()
