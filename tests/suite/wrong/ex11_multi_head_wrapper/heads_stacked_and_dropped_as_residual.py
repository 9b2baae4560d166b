# mistakes: dropout-on-context
import torch
from torch import nn

from exercises.ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList([CausalAttention(d_in, d_out, context_length, 0.0, qkv_bias) for _ in range(num_heads)])
        self.resid = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        stacked = torch.stack([h(x) for h in self.heads], dim=2)
        return self.resid(stacked.reshape(b, t, -1))  # <- dropout-on-context
