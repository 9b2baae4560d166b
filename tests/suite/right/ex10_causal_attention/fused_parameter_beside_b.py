# style: one matrix qkv and one bias that is called b
import torch
from torch import nn
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Parameter(torch.randn(d_in, 3 * d_out))
        self.b = nn.Parameter(torch.zeros(3 * d_out)) if qkv_bias else 0.0
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        k, q, v = (x @ self.qkv + self.b).tensor_split(3, dim=-1)
        s = q @ k.mT / q.size(-1) ** 0.5
        return self.drop(s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf).softmax(-1)) @ v
