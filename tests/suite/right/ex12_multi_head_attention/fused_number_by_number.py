# style: one fused Linear, its width cut into heads, what each has, and the roles last; biases likewise
import torch
from torch import nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError("num_heads has to divide d_out")
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.out = nn.Linear(d_out, d_out)
        self.h = num_heads
        self.p = dropout

    def forward(self, x):
        B, T, _ = x.shape
        k, v, q = self.qkv(x).reshape(B, T, self.h, -1, 3).permute(4, 0, 2, 1, 3)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p * self.training)
        return self.out(y.transpose(1, 2).reshape(B, T, -1))
