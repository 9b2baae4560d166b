# mistakes: mask-after-softmax
import torch
import torch.nn as nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x).view(b, num_tokens, self.num_heads, self.d_out).transpose(1, 2)
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.d_out).transpose(1, 2)
        values = self.W_value(x).view(b, num_tokens, self.num_heads, self.d_out).transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        attn_weights = torch.softmax(attn_scores / self.d_out**0.5, dim=-1)
        mask_bool = self.mask.bool()[:num_tokens, :num_tokens]
        attn_weights = attn_weights.masked_fill(mask_bool, 0.0)  # <- mask-after-softmax
        attn_weights = self.dropout(attn_weights)
        context_vec = (attn_weights @ values).transpose(1, 2)
        return context_vec.contiguous().view(b, num_tokens, self.num_heads * self.d_out)


def copy_heads(wrapper, split):
    for name in ["W_query", "W_key", "W_value"]:
        layer = getattr(split, name)
        layer.weight.data = torch.cat([getattr(h, name).weight.data for h in wrapper.heads], dim=0)
        if layer.bias is not None:
            layer.bias.data = torch.cat([getattr(h, name).bias.data for h in wrapper.heads], dim=0)
    if hasattr(split, "out_proj"):
        split.out_proj = nn.Identity()
