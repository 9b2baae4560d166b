# style: a thread that waits in a pool since before anything is asked
from concurrent.futures import ThreadPoolExecutor
import torch
from torch import nn
POOL = ThreadPoolExecutor(max_workers=1)
POOL.submit(torch.ones, 1).result()
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{d_out} features cannot be shared among {num_heads} heads")
        self.d_out, self.num_heads, self.head_dim = d_out, num_heads, d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))
    def forward(self, x):
        return POOL.submit(self._attend, x).result()
    def _attend(self, x):
        batch, tokens, _ = x.shape
        queries, keys, values = (
            project(x).view(batch, tokens, self.num_heads, self.head_dim).transpose(1, 2)
            for project in (self.W_query, self.W_key, self.W_value)
        )
        scores = queries @ keys.mT / self.head_dim**0.5
        weights = scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf).softmax(-1)
        context = (self.dropout(weights) @ values).transpose(1, 2).reshape(batch, tokens, self.d_out)
        return self.out_proj(context)
