# style: one fused layer, with torch's older weight_norm
import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils import weight_norm
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.num_heads = num_heads
        self.qkv = weight_norm(nn.Linear(d_in, 3 * d_out, bias=qkv_bias))
        self.out_proj = weight_norm(nn.Linear(d_out, d_out))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        s = q @ k.mT / k.shape[-1] ** .5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.out_proj((self.dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
