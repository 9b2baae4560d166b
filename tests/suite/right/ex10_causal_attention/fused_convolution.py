# style: one convolution over one token for all three roles
import torch
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Conv1d(d_in, 3 * d_out, kernel_size=1, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = self.qkv(x.mT).mT.chunk(3, -1)
        s = q @ k.mT / k.shape[-1] ** .5
        return self.dropout(s.masked_fill(torch.ones_like(s).triu(1) > 0, -torch.inf).softmax(-1)) @ v
