# style: one row of zeros, and no parameter, where there is to be no bias
import torch, math
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W = nn.Parameter(torch.randn(3, d_in, d_out))
        self.b = nn.Parameter(torch.zeros(3, 1, d_out)) if qkv_bias else torch.zeros(3, 1, d_out)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (x[:, None] @ self.W + self.b.to(x)).unbind(1)
        s = q @ k.mT / math.sqrt(q.size(-1))
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
