# style: four layers in one list, the last one without a bias where none is asked for
import math, copy
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        self.d_k = d_out // num_heads
        self.h = num_heads
        self.layers = nn.ModuleList(nn.Linear(d_in if i < 3 else d_out, d_out, bias=qkv_bias) for i in range(4))
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, x):
        b, t, _ = x.shape
        mask = torch.ones(t, t, dtype=torch.bool, device=x.device).tril()
        query, key, value = (f(x).view(b, -1, self.h, self.d_k).transpose(1, 2) for f in self.layers[:3])
        s = (query @ key.mT / math.sqrt(self.d_k)).masked_fill(~mask, -torch.inf)
        x = self.dropout(s.softmax(-1)) @ value
        return self.layers[3](x.transpose(1, 2).flatten(2))
