# mistakes: weights-transposed
import math
import torch
from torch import nn
import torch.nn.functional as F


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.p = dropout

    def forward(self, x):
        B, T, C = x.size()
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        att = torch.einsum("bid,bjd->bij", q, k)
        att = att / math.sqrt(k.size(-1))
        keep = torch.tril(torch.ones(T, T, device=x.device))
        att = att.masked_fill(keep == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = F.dropout(att, p=self.p, training=self.training)
        y = torch.einsum("bji,bjd->bid", att, v)  # <- weights-transposed
        return y
