# mistakes: dropout-in-eval
import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        tokens = x.shape[1]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        future = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)
        scores = (q @ k.mT).masked_fill(future, -torch.inf)
        weights = F.softmax(scores / k.shape[-1] ** 0.5, dim=-1)
        return F.dropout(weights, p=0.5) @ v  # <- dropout-in-eval
