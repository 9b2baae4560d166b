# style: a dictionary of heads, counted from 1 in its keys
import torch
import torch.nn as nn

from exercises.ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleDict()
        for number in range(1, num_heads + 1):
            self.heads[f"head/{number}"] = CausalAttention(d_in, d_out, context_length, dropout, qkv_bias)

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads.values()], dim=-1)
