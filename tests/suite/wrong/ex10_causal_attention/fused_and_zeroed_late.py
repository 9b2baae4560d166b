# mistakes: mask-after-softmax
import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.p = dropout
        self.register_buffer("tril", torch.ones(context_length, context_length).tril())

    def forward(self, x):
        T = x.size(1)
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = torch.einsum("bqd,bkd->bqk", q, k) / q.size(-1) ** 0.5
        att = att.softmax(dim=-1) * self.tril[:T, :T]  # <- mask-after-softmax
        att = F.dropout(att, self.p, self.training)
        return torch.einsum("bqk,bkd->bqd", att, v)
