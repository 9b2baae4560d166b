# mistakes: mask-diagonal
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    @staticmethod
    def hide_future(scores):
        rows = torch.arange(scores.shape[-2], device=scores.device).view(-1, 1)
        cols = torch.arange(scores.shape[-1], device=scores.device).view(1, -1)
        return torch.where(rows > cols, scores, torch.tensor(-1e9, dtype=scores.dtype))  # <- mask-diagonal

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        scores = self.hide_future(q @ k.transpose(1, 2) / k.shape[-1] ** 0.5)
        return self.dropout(torch.softmax(scores, dim=-1)) @ v
