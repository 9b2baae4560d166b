# mistakes: none
import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False, dropout=0.1):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_weights = torch.softmax(queries @ keys.T / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.attn_drop(attn_weights)  # <- here
        return attn_weights @ values


def copy_weights(source_v2, target_v1):
    with torch.no_grad():
        for name in ("W_query", "W_key", "W_value"):
            getattr(target_v1, name).copy_(getattr(source_v2, name).weight.T)
