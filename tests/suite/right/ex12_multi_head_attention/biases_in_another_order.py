# style: keys, values and queries in the weight, queries, keys and values in its bias
import torch, math
from torch import nn
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError("no")
        self.d_out, self.h, self.hd = d_out, num_heads, d_out // num_heads
        self.qkv = nn.Parameter(torch.randn(d_in, 3 * d_out))
        self.b_qkv = nn.Parameter(torch.zeros(3, d_out)) if qkv_bias else None
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        B, T, _ = x.shape
        k, v, q = (x @ self.qkv).chunk(3, -1)
        if self.b_qkv is not None:
            q, k, v = q + self.b_qkv[0], k + self.b_qkv[1], v + self.b_qkv[2]
        q, k, v = (z.view(B, T, self.h, self.hd).transpose(1, 2) for z in (q, k, v))
        s = q @ k.mT / math.sqrt(self.hd)
        y = self.drop(s.masked_fill(torch.ones(T, T, device=x.device).triu(1) == 1, -torch.inf).softmax(-1)) @ v
        return self.out_proj(y.transpose(1, 2).flatten(2))
