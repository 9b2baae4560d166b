# mistakes: heads-summed
import torch
from torch import nn

from exercises.ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        args = dict(d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias)
        self.heads = nn.ModuleList([CausalAttention(**args) for _ in range(num_heads)])

    def forward(self, x):
        stacked = torch.stack([h(x) for h in self.heads])
        return torch.einsum("hbtd->btd", stacked)  # <- heads-summed
