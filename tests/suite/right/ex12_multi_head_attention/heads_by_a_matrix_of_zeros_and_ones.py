# style: no view at all: a matrix of zeros and ones leaves each head its own features
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    """No reshape at all: each head sees its own features through a 0/1 matrix."""
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError("d_out")
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        d = d_out // num_heads
        self.register_buffer("own", torch.eye(num_heads).repeat_interleave(d, 1)[:, None, :])
        self.register_buffer("future", torch.ones(context_length, context_length).triu(1).bool())
        self.scale = d ** -0.5
    def forward(self, x):
        T = x.shape[1]
        q, k, v = (w(x).unsqueeze(1) for w in (self.W_query, self.W_key, self.W_value))
        own = self.own.to(x.dtype)
        s = (q * own) @ k.mT * self.scale
        w = self.dropout(s.masked_fill(self.future[:T, :T], -torch.inf).softmax(-1))
        return self.out_proj((w @ (v * own)).sum(1))
