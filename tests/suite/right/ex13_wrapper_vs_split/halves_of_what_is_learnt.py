# style: the wide weights are computed from others at each use, and the copy sets them by their inverse
import torch
from torch import nn
from torch.nn.utils import parametrize
class Halved(nn.Module):
    def forward(self, w): return w / 2
    def right_inverse(self, w): return w * 2
class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        for layer in (self.W_query, self.W_key, self.W_value):
            parametrize.register_parametrization(layer, "weight", Halved())
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        q, k, v = [layer(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2) for layer in layers]
        s = q @ k.mT / self.head_dim**0.5
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -torch.inf)
        return (self.dropout(s.softmax(-1)) @ v).transpose(1, 2).flatten(2)
@torch.no_grad()
def copy_heads(wrapper, split):
    for role in ("W_query", "W_key", "W_value"):
        wide, narrow = getattr(split, role), [getattr(head, role) for head in wrapper.heads]
        weight = torch.cat([each.weight for each in narrow])
        if parametrize.is_parametrized(wide):
            wide.weight = weight
        else:
            wide.weight.copy_(weight)
        if wide.bias is not None:
            wide.bias.copy_(torch.cat([each.bias for each in narrow]))
    if hasattr(split, "out_proj"):
        nn.init.eye_(split.out_proj.weight)
        nn.init.zeros_(split.out_proj.bias)
