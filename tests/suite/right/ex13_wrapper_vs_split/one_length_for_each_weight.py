# style: the length of each wide weight is learnt by itself, with weight_norm, and the copy sets it by its inverse
import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import weight_norm
class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        for r in ("W_query", "W_key", "W_value"):
            setattr(self, r, weight_norm(nn.Linear(d_in, num_heads * d_out, bias=qkv_bias), dim=None))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        q, k, v = (getattr(self, r)(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for r in ("W_query", "W_key", "W_value"))
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, dropout_p=self.dropout.p * self.training).transpose(1, 2).flatten(2)
def copy_heads(wrapper, split):
    with torch.no_grad():
        for r in ("W_query", "W_key", "W_value"):
            wide = getattr(split, r)
            w = torch.cat([getattr(h, r).weight for h in wrapper.heads])
            if hasattr(wide, "parametrizations"): wide.weight = w
            else: wide.weight.copy_(w)
            if wide.bias is not None: wide.bias.copy_(torch.cat([getattr(h, r).bias for h in wrapper.heads]))
        if hasattr(split, "out_proj"):
            nn.init.eye_(split.out_proj.weight); nn.init.zeros_(split.out_proj.bias)
