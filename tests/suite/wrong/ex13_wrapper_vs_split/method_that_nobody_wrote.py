# mistakes: none
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

    def forward(self, x):
        return self.attend(self.W_query(x), self.W_key(x), self.W_value(x)).flatten(2)  # <- here


def copy_heads(wrapper, split):
    with torch.no_grad():
        for role in ("W_query", "W_key", "W_value"):
            mine, theirs = getattr(split, role), [getattr(head, role) for head in wrapper.heads]
            mine.weight.copy_(torch.cat([each.weight for each in theirs]))
            if mine.bias is not None:
                mine.bias.copy_(torch.cat([each.bias for each in theirs]))
        if hasattr(split, "out_proj"):
            nn.init.eye_(split.out_proj.weight)
            nn.init.zeros_(split.out_proj.bias)
