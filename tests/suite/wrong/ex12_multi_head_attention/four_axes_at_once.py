# mistakes: heads-not-transposed
import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.n_head = num_heads
        self.d_head = d_out // num_heads
        self.p = dropout
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        bsz, seq, _ = x.size()

        def split(t):
            return t.view(bsz, self.n_head, seq, self.d_head)  # <- heads-not-transposed

        q, k, v = map(split, (self.W_query(x), self.W_key(x), self.W_value(x)))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.p if self.training else 0.0)
        y = y.transpose(1, 2).reshape(bsz, seq, -1)
        return self.out_proj(y)
