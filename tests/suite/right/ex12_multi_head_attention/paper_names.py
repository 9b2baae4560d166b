# style: the names of the paper, its O read as a zero
import torch, math
from torch import nn
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError("no")
        self.d_out, self.h, self.hd = d_out, num_heads, d_out // num_heads
        self.W_Q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_K = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_V = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_0 = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = (z.view(B, T, self.h, self.hd).transpose(1, 2) for z in (self.W_Q(x), self.W_K(x), self.W_V(x)))
        s = q @ k.mT / math.sqrt(self.hd)
        y = self.drop(s.masked_fill(torch.ones(T, T, device=x.device).triu(1) == 1, -torch.inf).softmax(-1)) @ v
        return self.W_0(y.transpose(1, 2).flatten(2))
