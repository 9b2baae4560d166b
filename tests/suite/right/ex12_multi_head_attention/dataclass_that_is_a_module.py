# style: a dataclass that is a module, made in __post_init__
import torch
from dataclasses import dataclass, field
from torch import nn
@dataclass(eq=False, repr=False)
class MultiHeadAttention(nn.Module):
    d_in: int
    d_out: int
    context_length: int
    dropout: float
    num_heads: int
    qkv_bias: bool = False
    def __post_init__(self):
        super().__init__()
        if self.d_out % self.num_heads:
            raise ValueError
        self.W_query = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
        self.W_key = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
        self.W_value = nn.Linear(self.d_in, self.d_out, bias=self.qkv_bias)
        self.out_proj = nn.Linear(self.d_out, self.d_out)
        self.drop = nn.Dropout(self.dropout)
    def forward(self, x):
        B, T, _ = x.shape
        cut = (B, T, self.num_heads, self.d_out // self.num_heads)
        q, k, v = (f(x).reshape(cut).permute(0, 2, 1, 3) for f in (self.W_query, self.W_key, self.W_value))
        s = (q * cut[-1] ** -0.5) @ k.permute(0, 1, 3, 2)
        s.masked_fill_(torch.ones(T, T, device=s.device).triu_(1).bool(), -torch.inf)
        a = self.drop(s.softmax(3)) @ v
        return self.out_proj(a.permute(0, 2, 1, 3).reshape(B, T, self.d_out))
