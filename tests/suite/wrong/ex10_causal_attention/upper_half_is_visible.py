# mistakes: mask-inverted
import torch, math
from torch import nn, einsum


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.scale = 1.0 / math.sqrt(d_out)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attn_drop = nn.Dropout(p=dropout)
        self.register_buffer("tril", torch.triu(torch.ones(context_length, context_length)))  # <- mask-inverted

    def forward(self, x):
        B, T, C = x.shape
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        sim = einsum("b i d, b j d -> b i j", q, k) * self.scale
        sim = sim.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        attn = sim.softmax(dim=-1)
        attn = self.attn_drop(attn)
        out = einsum("b i j, b j d -> b i d", attn, v)
        return out
