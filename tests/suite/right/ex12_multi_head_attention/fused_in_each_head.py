# style: one parameter (heads, d_in, 3 * head_dim), of which each head takes its own and cuts it in three
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError("each head has to be as wide as the others")
        head_dim = d_out // num_heads
        self.W_qkv = nn.Parameter(torch.randn(num_heads, d_in, 3 * head_dim))
        self.b_qkv = nn.Parameter(torch.zeros(num_heads, 1, 3 * head_dim)) if qkv_bias else None
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
    def forward(self, x):
        r = x.unsqueeze(1) @ self.W_qkv
        if self.b_qkv is not None: r = r + self.b_qkv
        q, k, v = r.chunk(3, dim=-1)
        p = self.p if self.training else 0.0
        z = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=p)
        return self.out_proj(z.transpose(1, 2).flatten(2))
