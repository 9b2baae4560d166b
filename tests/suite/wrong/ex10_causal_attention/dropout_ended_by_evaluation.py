# mistakes: none
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        if not self.training:
            self.drop.p = 0.0  # <- here
        tokens, width = x.shape[-2], self.W_key.out_features
        scores = self.W_query(x) @ self.W_key(x).mT / width**0.5
        weights = torch.softmax(scores.masked_fill(self.mask[:tokens, :tokens], -torch.inf), dim=-1)
        return self.drop(weights) @ self.W_value(x)
