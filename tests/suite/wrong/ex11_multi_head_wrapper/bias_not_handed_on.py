# mistakes: bias-ignored
import torch
import torch.nn as nn
from ex10_causal_attention import CausalAttention


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.d_out = d_out
        self.attn_heads = nn.ModuleList()
        for _ in range(num_heads):
            self.attn_heads.append(CausalAttention(d_in, d_out, context_length, dropout))  # <- bias-ignored

    def forward(self, x):
        b, t, _ = x.shape
        out = torch.empty(b, t, self.num_heads * self.d_out, device=x.device)
        for h, head in enumerate(self.attn_heads):
            out[:, :, h * self.d_out:(h + 1) * self.d_out] = head(x)
        return out
