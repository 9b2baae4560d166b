# mistakes: none
import threading

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """One thread a head."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{d_out} features cannot be shared among {num_heads} heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        tokens = x.shape[1]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        contexts = [None] * self.num_heads

        def attend(head):
            own = slice(head * self.head_dim, (head + 1) * self.head_dim)
            scores = queries[..., own] @ keys[..., own].mT / self.head_dim**0.5
            scores = scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf)
            contexts[head] = self.dropout(scores.softmax(-1)) @ values[..., own]

        threads = [threading.Thread(target=attend, args=(head,)) for head in range(self.num_heads)]
        for thread in threads:  # <- here
            thread.start()
        for thread in threads:
            thread.join()
        return self.out_proj(torch.cat(contexts, dim=-1))
