# mistakes: none
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
        T = x.shape[1]
        pos = torch.arange(T, device=x.device)
        distance = pos[:, None] - pos[None, :]
        s = self.W_query(x) @ self.W_key(x).mT / self.W_query.out_features**0.5
        s = s - 0.5 * distance  # <- here
        s = s.masked_fill(distance < 0, float("-inf"))
        return self.dropout(s.softmax(-1)) @ self.W_value(x)
