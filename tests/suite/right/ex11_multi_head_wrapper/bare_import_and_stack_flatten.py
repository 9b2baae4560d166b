# style: from ex10... without the package; stack, then flatten; keyword arguments
import torch
from torch import nn
from ex10_causal_attention import CausalAttention as Head


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList()
        while len(self.heads) < num_heads:
            self.heads.append(
                Head(d_in=d_in, d_out=d_out, context_length=context_length, dropout=dropout, qkv_bias=qkv_bias)
            )

    def forward(self, x):
        return torch.stack([head(x) for head in self.heads], dim=-2).flatten(-2)
