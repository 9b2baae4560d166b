# mistakes: none
import torch
from torch import nn

from .ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        made = (CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))
        self.heads = nn.ModuleList(made)

    def forward(self, x):
        results = [head(x) for head in self.heads]
        number = len(results)
        together = torch.stack(results)
        return together.sum(0) / number  # <- here
