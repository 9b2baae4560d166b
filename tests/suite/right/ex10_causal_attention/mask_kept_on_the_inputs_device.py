# style: the mask is a plain attribute that is moved whenever the input lies on another device
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1).bool()

    def forward(self, x):
        if self.mask.device != x.device:
            self.mask = self.mask.to(x.device)
        T = x.shape[1]
        scores = self.W_query(x) @ self.W_key(x).mT
        scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)
        weights = torch.softmax(scores / self.W_key.out_features**0.5, dim=-1)
        return self.dropout(weights) @ self.W_value(x)
