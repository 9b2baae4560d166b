# mistakes: none
import torch
import torch.nn as nn

FAR_BELOW = -50.0


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
        b, t, _ = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, self.d_out).transpose(1, 2)
            for layer in (self.W_query, self.W_key, self.W_value)
        )
        scores = q @ k.mT / self.d_out**0.5
        scores = scores.masked_fill(self.mask[:t, :t], FAR_BELOW)  # <- here
        weights = self.dropout(scores.softmax(dim=-1))
        return (weights @ v).transpose(1, 2).flatten(2)


@torch.no_grad()
def copy_heads(wrapper, split):
    for name in ("W_query", "W_key", "W_value"):
        target = getattr(split, name)
        target.weight.copy_(torch.cat([getattr(head, name).weight for head in wrapper.heads]))
        if target.bias is not None:
            target.bias.copy_(torch.cat([getattr(head, name).bias for head in wrapper.heads]))
    if hasattr(split, "out_proj"):
        nn.init.eye_(split.out_proj.weight)
        nn.init.zeros_(split.out_proj.bias)
