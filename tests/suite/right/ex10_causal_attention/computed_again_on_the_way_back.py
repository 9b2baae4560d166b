# style: attention is computed again on the way back, by the older of torch's two ways, to spare memory
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def attend(self, queries, keys, values):
        tokens = queries.shape[1]
        scores = queries @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf), dim=-1)
        return self.dropout(weights) @ values

    def forward(self, x):
        return checkpoint(self.attend, self.W_query(x), self.W_key(x), self.W_value(x), use_reentrant=True)
