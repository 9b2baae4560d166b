# style: torch.cond decides, of a tensor, whether anything has to be hidden
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share a width of {d_out}")
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("future", torch.ones(context_length, context_length).triu(1).bool(), persistent=False)

    def _heads(self, layer, x):
        return layer(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2)

    def forward(self, x):
        num_tokens = x.shape[1]
        queries, keys, values = (self._heads(layer, x) for layer in (self.W_query, self.W_key, self.W_value))
        future = self.future[:num_tokens, :num_tokens]

        def seeing_the_past(queries, keys):
            return (queries @ keys.mT).masked_fill(future, -torch.inf)

        def seeing_all(queries, keys):
            return queries @ keys.mT

        scores = torch.cond(future.any(), seeing_the_past, seeing_all, (queries, keys))
        weights = self.dropout(torch.softmax(scores / keys.shape[-1] ** 0.5, dim=-1))
        return self.out_proj((weights @ values).transpose(1, 2).flatten(2))
