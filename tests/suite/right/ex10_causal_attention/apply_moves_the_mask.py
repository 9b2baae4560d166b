# style: a plain mask that an overridden _apply moves together with the parameters
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.hidden = torch.full((context_length, context_length), -torch.inf).triu(1)

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.hidden = fn(self.hidden)
        return self

    def forward(self, x):
        T = x.shape[-2]
        scores = self.W_query(x) @ self.W_key(x).mT / self.W_key.out_features**0.5
        return self.dropout((scores + self.hidden[:T, :T]).softmax(-1)) @ self.W_value(x)
