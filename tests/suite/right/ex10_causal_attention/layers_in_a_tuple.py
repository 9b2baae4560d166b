# style: the three layers stand in a plain tuple too, beside their registered names
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.layers = (self.W_query, self.W_key, self.W_value)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = [layer(x) for layer in self.layers]
        T = x.shape[1]
        seen = torch.tril(torch.ones(T, T, dtype=torch.bool, device=x.device))
        scores = (q @ k.mT / k.shape[-1] ** 0.5).masked_fill(~seen, -torch.inf)
        return self.dropout(scores.softmax(-1)) @ v
