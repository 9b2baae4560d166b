# style: three layers without a bias, and one for all of them beside
import torch, math
from torch import nn
import torch.nn.functional as F
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(3, d_out)) if qkv_bias else None
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        if self.bias is not None: q, k, v = q + self.bias[0], k + self.bias[1], v + self.bias[2]
        s = q @ k.mT / math.sqrt(self.d_out)
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
