# style: weights (d_in, heads, head_dim), and biases that broadcast over tokens
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0
        d_head = d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.randn(d_in, num_heads, d_head)) for _ in range(3))
        if qkv_bias:
            self.query_bias, self.key_bias, self.value_bias = (nn.Parameter(torch.zeros(1, num_heads, 1, d_head)) for _ in range(3))
        self.bias = qkv_bias
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (torch.einsum("btd,dnh->bnth", x, w) for w in (self.W_query, self.W_key, self.W_value))
        if self.bias:
            q, k, v = q + self.query_bias, k + self.key_bias, v + self.value_bias
        t = x.shape[1]
        s = (q @ k.mT * q.shape[-1] ** -.5).masked_fill(torch.ones(t, t, device=x.device).triu(1).bool(), -torch.inf)
        return self.out_proj((self.drop(s.softmax(-1)) @ v).transpose(1, 2).flatten(2))
