# style: one parameter (d_in, roles, heads, head_dim), and an output weight that has heads too
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError
        d = d_out // num_heads
        self.W_qkv = nn.Parameter(torch.randn(d_in, 3, num_heads, d))
        self.b_qkv = nn.Parameter(torch.zeros(3, num_heads, d)) if qkv_bias else None
        self.W_o = nn.Parameter(torch.randn(num_heads, d, d_out))
        self.b_o = nn.Parameter(torch.zeros(d_out))
        self.p = dropout
    def forward(self, x):
        qkv = torch.einsum("bti,irhd->rbhtd", x, self.W_qkv)
        if self.b_qkv is not None: qkv = qkv + self.b_qkv[:, None, :, None]
        z = nn.functional.scaled_dot_product_attention(*qkv, is_causal=True, dropout_p=self.p if self.training else 0.)
        return torch.einsum("bhtd,hdo->bto", z, self.W_o) + self.b_o
