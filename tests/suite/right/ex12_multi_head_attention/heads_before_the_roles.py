# style: one parameter (d_in, heads, roles, head_dim) and one bias without d_in, where there may be as many heads as roles
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads: raise ValueError
        d = d_out // num_heads
        self.W_qkv = nn.Parameter(torch.randn(d_in, num_heads, 3, d))
        self.b_qkv = nn.Parameter(torch.zeros(num_heads, 3, d)) if qkv_bias else None
        self.out_proj = nn.Linear(d_out, d_out)
        self.p = dropout
    def forward(self, x):
        heads = torch.einsum("bti,ihrd->bthrd", x, self.W_qkv)
        if self.b_qkv is not None: heads = heads + self.b_qkv
        q, k, v = heads.permute(3, 0, 2, 1, 4)
        z = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p if self.training else 0.)
        return self.out_proj(z.transpose(1, 2).flatten(2))
