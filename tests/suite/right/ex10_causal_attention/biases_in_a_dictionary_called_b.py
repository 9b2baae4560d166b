# style: three layers without a bias, and their biases in an nn.ParameterDict called b
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.b = nn.ParameterDict({r: torch.zeros(d_out) for r in ("query", "key", "value")} if qkv_bias else {})
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def with_bias(self, projected, role):
        return projected + self.b[role] if role in self.b else projected

    def forward(self, x):
        num_tokens = x.shape[1]
        queries = self.with_bias(self.W_query(x), "query")
        keys = self.with_bias(self.W_key(x), "key")
        values = self.with_bias(self.W_value(x), "value")
        scores = queries @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
        scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)
        return self.dropout(torch.softmax(scores, dim=-1)) @ values
