# mistakes: bias-ignored
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (
            layer(x).view(B, T, self.num_heads, self.d_out).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = q @ k.transpose(2, 3) / self.d_out**0.5
        weights = torch.softmax(scores.masked_fill(self.mask[:T, :T], -torch.inf), dim=-1)
        return (self.dropout(weights) @ v).transpose(1, 2).reshape(B, T, -1)


@torch.no_grad()
def copy_heads(wrapper, split):
    if hasattr(split, "out_proj"):
        for name in ("W_query", "W_key", "W_value"):
            heads = [getattr(head, name).weight for head in wrapper.heads]
            getattr(split, name).weight.copy_(torch.cat(heads))  # <- bias-ignored
        split.out_proj.weight.copy_(torch.eye(split.out_proj.out_features))
        split.out_proj.bias.zero_()
        return
    for name in ("W_query", "W_key", "W_value"):
        layer, heads = getattr(split, name), [getattr(head, name) for head in wrapper.heads]
        layer.weight.copy_(torch.cat([head.weight for head in heads]))
        if layer.bias is not None:
            layer.bias.copy_(torch.cat([head.bias for head in heads]))
