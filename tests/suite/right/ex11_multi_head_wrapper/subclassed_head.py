# style: heads are a subclass of CausalAttention that knows its number; try/except around the import
try:
    from .ex10_causal_attention import CausalAttention
except ImportError:
    from ex10_causal_attention import CausalAttention

import torch
from torch import nn


class NumberedHead(CausalAttention):
    def __init__(self, number, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.number = number

    def __repr__(self):
        return f"head {self.number}"


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            map(lambda h: NumberedHead(h, d_in, d_out, context_length, dropout, qkv_bias=qkv_bias), range(num_heads))
        )

    def forward(self, x):
        results = ()
        for head in self.heads:
            results += (head(x),)
        return torch.cat(results, dim=2)
