# mistakes: heads-not-transposed, scale-missing
import torch
from torch import nn


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)

    def _split(self, t):
        return t.reshape(t.shape[0], self.num_heads, -1, self.d_out)  # <- heads-not-transposed

    def forward(self, x):
        B, T, _ = x.shape
        q, k, v = [self._split(p(x)) for p in (self.W_query, self.W_key, self.W_value)]
        future = torch.full((T, T), float("-inf"), device=x.device).triu(diagonal=1)
        w = torch.softmax(q @ k.mT + future, dim=-1)  # <- scale-missing
        return (self.dropout(w) @ v).permute(0, 2, 1, 3).reshape(B, T, self.num_heads * self.d_out)


def copy_heads(wrapper, split):
    def cat(role, what):
        return torch.cat([getattr(getattr(h, role), what) for h in wrapper.heads]).detach().clone()

    for role in ("W_query", "W_key", "W_value"):
        layer = getattr(split, role)
        layer.weight = nn.Parameter(cat(role, "weight"))
        if layer.bias is not None:
            layer.bias = nn.Parameter(cat(role, "bias"))
    if hasattr(split, "out_proj"):
        with torch.no_grad():
            split.out_proj.weight.copy_(torch.eye(split.out_proj.in_features))
            split.out_proj.bias.zero_()
