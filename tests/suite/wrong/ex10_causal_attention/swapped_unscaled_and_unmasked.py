# mistakes: query-key-swapped, scale-missing, mask-discarded
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        keys, queries, values = self.W_query(x), self.W_key(x), self.W_value(x)  # <- query-key-swapped
        logits = torch.matmul(queries, keys.mT)
        future = torch.triu(torch.ones(x.shape[1], x.shape[1], device=x.device), diagonal=1).bool()
        logits.masked_fill(future, -torch.inf)  # <- mask-discarded
        weights = logits.softmax(-1)  # <- scale-missing
        weights = self.dropout(weights)
        return weights @ values
