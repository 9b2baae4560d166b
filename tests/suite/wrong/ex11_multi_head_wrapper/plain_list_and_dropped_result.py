# mistakes: heads-unregistered, dropout-on-context
import torch
import torch.nn as nn

from exercises.ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = []  # <- heads-unregistered
        for _ in range(num_heads):
            self.heads.append(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        context = torch.cat([head(x) for head in self.heads], dim=-1)
        return self.dropout(context)  # <- dropout-on-context
