# style: two nn.ParameterDict, W and b, with a part for each role
import torch
import torch.nn.functional as F
from torch import nn

ROLES = ("query", "key", "value")


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W = nn.ParameterDict({role: torch.randn(d_in, d_out) / d_in**0.5 for role in ROLES})
        self.b = nn.ParameterDict({role: torch.zeros(d_out) for role in ROLES} if qkv_bias else {})
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        q, k, v = (x @ self.W[role] + (self.b[role] if role in self.b else 0) for role in ROLES)
        scores = q @ k.mT / k.size(-1) ** 0.5
        num_tokens = x.size(1)
        scores = scores.masked_fill(self.mask[:num_tokens, :num_tokens], float("-inf"))
        return self.dropout(F.softmax(scores, dim=-1)) @ v
