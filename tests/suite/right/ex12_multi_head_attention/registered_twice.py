# style: the layers are registered twice, the buffer grows on demand
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.qkv_layers = nn.ModuleList([self.W_query, self.W_key, self.W_value])
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", None, persistent=False)
    def forward(self, x):
        T = x.shape[1]
        if self.mask is None or self.mask.shape[-1] < T:
            self.mask = torch.ones(1, 1, T, T, dtype=torch.bool, device=x.device).triu(1)
        q, k, v = [l(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for l in self.qkv_layers]
        s = (q @ k.mT / k.shape[-1] ** .5).masked_fill(self.mask[..., :T, :T], -torch.inf)
        return self.out_proj((self.dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
