# style: the mask is made when first needed, kept in a dictionary by length and device
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.masks = {}

    def mask_for(self, T, device):
        if (T, device) not in self.masks:
            self.masks[T, device] = torch.ones(T, T, dtype=torch.bool, device=device).triu_(1)
        return self.masks[T, device]

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = torch.bmm(q, k.transpose(1, 2))
        scores.masked_fill_(self.mask_for(x.size(1), x.device), -torch.inf)
        return torch.bmm(self.dropout(torch.softmax(scores / k.size(-1) ** 0.5, dim=-1)), v)
