# style: the parameters of a linear layer for all roles, which are the module's own
import torch, math
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError
        self.h = num_heads
        self.weight = nn.Parameter(torch.randn(3 * d_out, d_in))
        if qkv_bias: self.bias = nn.Parameter(torch.zeros(3 * d_out))
        else: self.register_parameter("bias", None)
        self.out = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (z.unflatten(-1, (self.h, -1)).transpose(1, 2) for z in nn.functional.linear(x, self.weight, self.bias).chunk(3, -1))
        s = q @ k.mT / math.sqrt(q.size(-1))
        y = self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
        return self.out(y.transpose(1, 2).flatten(2))
