# style: CausalAttention written once more in this file, fused, with other names; hstack-like concat
import torch
import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, d_out * 3, bias=qkv_bias)
        self.p = dropout

    def forward(self, x):
        v, q, k = torch.tensor_split(self.qkv(x), 3, dim=-1)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p * self.training)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.attention_heads = nn.ModuleList(
            [CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads)]
        )

    def forward(self, x):
        return torch.concat([head.forward(x) for head in self.attention_heads], -1)
