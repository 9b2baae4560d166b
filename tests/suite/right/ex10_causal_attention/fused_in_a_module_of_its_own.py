# style: a fused projection in a module of its own, in_proj; an additive mask of -1e9; softmax and dropout in nn.Sequential
# only: float32, float64, bfloat16; -1e9 is no float16
import torch
from torch import nn
class Proj(nn.Module):
    def __init__(self, d_in, d_out, b):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(d_out, d_in)); self.bias = nn.Parameter(torch.zeros(d_out)) if b else None
    def forward(self, x):
        return torch.nn.functional.linear(x, self.weight, self.bias)
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.in_proj = Proj(d_in, 3*d_out, qkv_bias)
        self.attn = nn.Sequential(nn.Softmax(-1), nn.Dropout(dropout))
    def forward(self, x):
        q, k, v = self.in_proj(x).chunk(3, -1)
        T = x.shape[1]
        m = torch.zeros_like(q @ k.mT).masked_fill_(torch.ones(T, T, device=x.device).triu(1) > 0, -1e9)
        return self.attn(q @ k.mT / k.shape[-1]**.5 + m) @ v
