# style: queries and keys side by side, values in a layer of their own
import torch, math
from torch import nn
import torch.nn.functional as F
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.qk = nn.Linear(d_in, 2 * d_out, bias=qkv_bias)
        self.v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k = self.qk(x).chunk(2, dim=-1)
        v = self.v(x)
        s = q @ k.mT / math.sqrt(self.d_out)
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
