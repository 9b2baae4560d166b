# mistakes: query-key-swapped
import math
import torch
from torch import nn


def split(t, heads):
    return torch.stack(torch.chunk(t, heads, dim=-1), dim=1)


def merge(t):
    return torch.cat(torch.unbind(t, dim=1), dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("must be divisible")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)

    def attention_weights(self, queries, keys):
        d_k = queries.size(-1)
        scores = queries @ keys.mT / math.sqrt(d_k)
        T = scores.size(-1)
        visible = torch.ones(T, T, dtype=torch.bool, device=scores.device).tril()
        scores = scores.masked_fill(visible.logical_not(), float("-inf"))
        return scores.softmax(-1)

    def forward(self, x):
        queries = split(self.W_query(x), self.num_heads)
        keys = split(self.W_key(x), self.num_heads)
        values = split(self.W_value(x), self.num_heads)
        weights = self.attention_weights(keys, queries)  # <- query-key-swapped
        context = self.dropout(weights) @ values
        return self.out_proj(merge(context))
