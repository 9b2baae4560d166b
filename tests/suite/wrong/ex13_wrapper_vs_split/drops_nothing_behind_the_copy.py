# mistakes: none
import torch
import torch.nn as nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def cut(self, wide):
        return wide.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.cut(self.W_query(x)), self.cut(self.W_key(x)), self.cut(self.W_value(x))
        scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
        later = torch.ones_like(scores).triu(1).bool()
        weights = self.dropout(scores.masked_fill(later, -torch.inf).softmax(-1))
        return (weights @ v).transpose(1, 2).flatten(2)


@torch.no_grad()
def copy_heads(wrapper, split):
    for name in ("W_query", "W_key", "W_value"):
        layers = [getattr(head, name) for head in wrapper.heads]
        getattr(split, name).weight.copy_(torch.cat([layer.weight for layer in layers]))
        if layers[0].bias is not None:
            getattr(split, name).bias.copy_(torch.cat([layer.bias for layer in layers]))
    if hasattr(split, "out_proj"):
        nn.init.eye_(split.out_proj.weight)
        nn.init.zeros_(split.out_proj.bias)
    split.dropout = nn.Identity()  # <- here
