# style: heads in a list of another name
import torch
from torch import nn
from ex10_causal_attention import CausalAttention
class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.blocks = nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))
    def forward(self, x):
        return torch.cat([b(x) for b in self.blocks], -1)
