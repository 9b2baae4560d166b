# style: one query_key_value whose heads each hold their own three, as in GPT-NeoX and BLOOM
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must divide by num_heads")
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.query_key_value = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.dense = nn.Linear(d_out, d_out)
        self.attention_dropout = nn.Dropout(dropout)

    def forward(self, x):
        fused = self.query_key_value(x).unflatten(-1, (self.num_heads, 3, self.head_dim))
        q, k, v = (part.transpose(1, 2) for part in fused.unbind(-2))
        scores = q @ k.transpose(-1, -2) / self.head_dim**0.5
        future = torch.full_like(scores[0, 0], 1).triu(1).bool()
        weights = self.attention_dropout(torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1))
        return self.dense((weights @ v).transpose(1, 2).flatten(2))
