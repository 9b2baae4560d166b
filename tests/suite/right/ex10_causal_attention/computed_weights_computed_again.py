# style: nothing is kept for the way back, the weights, which weight_norm computes, neither
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
from torch.utils.checkpoint import checkpoint
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (weight_norm(nn.Linear(d_in, d_out, bias=qkv_bias)) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
    def attend(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** .5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return self.dropout(s.softmax(-1)) @ v
    def forward(self, x):
        x = x if x.requires_grad or not torch.is_grad_enabled() else x.detach().requires_grad_()
        return checkpoint(self.attend, x, use_reentrant=True)
