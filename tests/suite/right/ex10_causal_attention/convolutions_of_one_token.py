# style: nn.Conv1d over one token at a time, batches with the features in front
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.query_conv = nn.Conv1d(d_in, d_out, kernel_size=1, bias=qkv_bias)
        self.key_conv = nn.Conv1d(d_in, d_out, kernel_size=1, bias=qkv_bias)
        self.value_conv = nn.Conv1d(d_in, d_out, kernel_size=1, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        features = x.transpose(1, 2)
        queries, keys, values = self.query_conv(features), self.key_conv(features), self.value_conv(features)
        num_tokens = x.size(1)
        scores = torch.bmm(queries.transpose(1, 2), keys) / keys.size(1) ** 0.5
        future = torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=x.device).triu(1)
        weights = self.dropout(scores.masked_fill(future, -torch.inf).softmax(-1))
        return torch.bmm(values, weights.transpose(1, 2)).transpose(1, 2)
