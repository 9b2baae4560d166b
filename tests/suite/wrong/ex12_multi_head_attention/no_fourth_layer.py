# mistakes: out-proj-missing
import math
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("d_out must divide by num_heads")
        self.h = num_heads
        self.d_head = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.p = dropout

    def forward(self, x):
        B, T, C = x.size()
        q = self.W_query(x).reshape(B, T, self.h, self.d_head).permute(0, 2, 1, 3)
        k = self.W_key(x).reshape(B, T, self.h, self.d_head).permute(0, 2, 1, 3)
        v = self.W_value(x).reshape(B, T, self.h, self.d_head).permute(0, 2, 1, 3)
        att = torch.einsum("bhid,bhjd->bhij", q, k)
        att = att / math.sqrt(self.d_head)
        keep = torch.tril(torch.ones(T, T, device=x.device))
        att = att.masked_fill(keep == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = F.dropout(att, p=self.p, training=self.training)
        y = torch.einsum("bhij,bhjd->bhid", att, v)
        y = y.permute(0, 2, 1, 3)
        y = y.reshape(B, T, self.h * self.d_head)
        return y  # <- out-proj-missing
