"""Parameters as in the lesson; F.linear and the fused attention kernel do the work."""

import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        q = F.linear(x, self.W_query.mT)
        k = F.linear(x, self.W_key.mT)
        v = F.linear(x, self.W_value.mT)
        return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]
