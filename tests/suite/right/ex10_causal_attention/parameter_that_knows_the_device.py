# style: a parameter without numbers, which is asked where the module is
import torch
from torch import nn

class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.dummy_param = nn.Parameter(torch.empty(0))
    def forward(self, x):
        t = x.shape[1]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = q @ k.mT / k.shape[-1] ** 0.5
        s = s.masked_fill(torch.ones(t, t, dtype=torch.bool, device=self.dummy_param.device).triu(1), -torch.inf)
        w = self.dropout(s.softmax(-1))
        return w @ v
