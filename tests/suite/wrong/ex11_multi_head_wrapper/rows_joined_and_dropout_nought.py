# mistakes: heads-wrong-axis, dropout-missing
import torch
import torch.nn as nn

from ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        heads = []
        for _ in range(num_heads):
            heads.append(CausalAttention(d_in, d_out, context_length, 0.0, qkv_bias))  # <- dropout-missing
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        out = self.heads[0](x)
        for head in self.heads[1:]:
            out = torch.cat((out, head(x)), dim=-2)  # <- heads-wrong-axis
        return out
