"""A fused qkv layer in (3, H, head_dim) order. copy_heads stacks the fused weights of the heads and moves the
axes to the order that the target splits by: SplitHeadAttention's (3, H), or our ex12's head-major (H, 3)."""

import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_out
        self.qkv = nn.Linear(d_in, 3 * num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        mask = torch.triu(torch.ones(context_length, context_length, dtype=torch.bool), diagonal=1)
        self.register_buffer("mask", mask)

    def forward(self, x):
        B, T, _ = x.shape
        qkv = self.qkv(x).view(B, T, 3, self.num_heads, self.head_dim)
        queries, keys, values = qkv.permute(2, 0, 3, 1, 4)
        scores = queries @ keys.transpose(-2, -1) / self.head_dim**0.5
        scores = scores.masked_fill(self.mask[:T, :T], float("-inf"))
        weights = self.dropout(scores.softmax(dim=-1))
        return (weights @ values).transpose(1, 2).reshape(B, T, self.num_heads * self.head_dim)


def fuse(tensors, head_major):
    """Per-head (3 * d, ...) tensors as one (3 * H * d, ...) tensor."""
    by_head = torch.stack([t.view(3, t.shape[0] // 3, *t.shape[1:]) for t in tensors])  # (H, 3, d, ...)
    if not head_major:
        by_head = by_head.transpose(0, 1)
    return by_head.flatten(0, 2)


def copy_heads(wrapper, split):
    is_multi_head = hasattr(split, "out_proj")
    with torch.no_grad():
        split.qkv.weight.copy_(fuse([head.qkv.weight for head in wrapper.heads], is_multi_head))
        if split.qkv.bias is not None:
            split.qkv.bias.copy_(fuse([head.qkv.bias for head in wrapper.heads], is_multi_head))
        if is_multi_head:
            split.out_proj.weight.copy_(torch.eye(split.d_out))
            split.out_proj.bias.zero_()
