# style: one parameter whose last axis are the three roles
import torch
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv_weight = nn.Parameter(torch.randn(d_in, d_out, 3))
        self.qkv_bias = nn.Parameter(torch.zeros(d_out, 3)) if qkv_bias else 0.0
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (torch.einsum("bti,idr->rbtd", x, self.qkv_weight) + (self.qkv_bias.T[:, None, None] if torch.is_tensor(self.qkv_bias) else 0))
        s = q @ k.mT / k.shape[-1] ** .5
        return self.dropout(s.masked_fill(torch.ones_like(s).triu(1) > 0, -torch.inf).softmax(-1)) @ v
