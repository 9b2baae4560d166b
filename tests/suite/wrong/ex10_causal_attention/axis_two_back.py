# mistakes: softmax-wrong-axis
import torch
from torch import nn


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.attend = nn.Softmax(dim=-2)  # <- softmax-wrong-axis
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", ~torch.tril(torch.ones(context_length, context_length, dtype=torch.bool)))

    def forward(self, x):
        n = x.shape[1]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        dots = torch.einsum("b i d, b j d -> b i j", q, k) * q.shape[-1] ** -0.5
        dots.masked_fill_(self.causal[:n, :n], -torch.finfo(dots.dtype).max)
        attn = self.dropout(self.attend(dots))
        return torch.einsum("b i j, b j d -> b i d", attn, v)
