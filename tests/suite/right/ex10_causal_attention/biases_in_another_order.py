# style: keys, values and queries in the weight, queries, keys and values in its bias
import torch, math
from torch import nn
import torch.nn.functional as F
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.in_proj_weight = nn.Parameter(torch.randn(3 * d_out, d_in))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * d_out)) if qkv_bias else None
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        k, v, q = F.linear(x, self.in_proj_weight).chunk(3, -1)
        if self.in_proj_bias is not None:
            bq, bk, bv = self.in_proj_bias.chunk(3)
            q, k, v = q + bq, k + bk, v + bv
        s = q @ k.mT / math.sqrt(self.d_out)
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
