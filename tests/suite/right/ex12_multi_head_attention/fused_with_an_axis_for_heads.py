# style: one parameter with an axis for roles and another for heads
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        d_head = d_out // num_heads
        self.W_qkv = nn.Parameter(torch.randn(3, num_heads, d_in, d_head))
        self.b_qkv = nn.Parameter(torch.randn(3, 1, num_heads, 1, d_head)) if qkv_bias else None
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        qkv = torch.einsum("btd,cndh->cbnth", x, self.W_qkv)
        if self.b_qkv is not None: qkv = qkv + self.b_qkv
        q, k, v = qkv
        t = x.shape[1]
        s = (q @ k.mT * q.shape[-1] ** -.5).masked_fill(torch.ones(t, t, device=x.device).triu(1).bool(), -torch.inf)
        return self.out_proj((self.drop(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
