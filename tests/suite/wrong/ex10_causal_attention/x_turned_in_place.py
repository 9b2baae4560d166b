# mistakes: input-mutated
import torch
from torch import nn


class CausalAttention(nn.Module):
    """Columns are tokens here: everything is (B, d, T) until the end."""

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    @staticmethod
    def columns(layer, xt):
        out = layer.weight @ xt
        if layer.bias is not None:
            out = out + layer.bias[:, None]
        return out

    def forward(self, x):
        xt = x.transpose_(1, 2)  # <- input-mutated
        q = self.columns(self.W_query, xt)
        k = self.columns(self.W_key, xt)
        v = self.columns(self.W_value, xt)
        t = xt.shape[2]
        scores = q.transpose(1, 2) @ k / q.shape[1] ** 0.5
        scores = scores + torch.triu(torch.full((t, t), -1e9, device=x.device), diagonal=1)
        weights = self.dropout(scores.softmax(dim=2))
        return (v @ weights.transpose(1, 2)).transpose(1, 2)
