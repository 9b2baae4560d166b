# style: one long row for the weights, another for the biases, both given axes for roles and heads
import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("num_heads does not divide d_out")
        self.d_in, self.d_out, self.h = d_in, d_out, num_heads
        self.W_qkv = nn.Parameter(torch.randn(3 * d_out * d_in) * d_in**-0.5)
        self.qkv_bias = nn.Parameter(torch.zeros(3 * d_out)) if qkv_bias else None
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout

    def forward(self, x):
        w = self.W_qkv.view(3, self.h, self.d_out // self.h, self.d_in)
        q, k, v = torch.einsum("btd,rhed->rbhte", x, w)
        if self.qkv_bias is not None:
            b = self.qkv_bias.view(3, 1, self.h, 1, -1)
            q, k, v = q + b[0], k + b[1], v + b[2]
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p if self.training else 0.0)
        return self.out_proj(y.transpose(1, 2).flatten(2))
