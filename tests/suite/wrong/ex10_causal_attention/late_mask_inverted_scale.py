# mistakes: mask-after-softmax, scale-inverted
import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop_p = dropout
        self.register_buffer("keep", torch.ones(context_length, context_length).tril())

    def forward(self, x):
        B, T, C = x.size()
        q = F.linear(x, self.W_q.weight, self.W_q.bias)
        k = F.linear(x, self.W_k.weight, self.W_k.bias)
        v = F.linear(x, self.W_v.weight, self.W_v.bias)
        att = (q @ k.mT) * k.size(-1) ** 0.5  # <- scale-inverted
        att = F.softmax(att, dim=-1)
        att = att * self.keep[:T, :T]  # <- mask-after-softmax
        att = F.dropout(att, self.drop_p, self.training)
        y = att @ v
        return y
