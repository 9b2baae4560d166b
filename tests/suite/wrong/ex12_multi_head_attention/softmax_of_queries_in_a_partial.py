# mistakes: softmax-wrong-axis
from functools import partial, reduce
import torch
from torch import nn
import torch.nn.functional as F
compose = lambda *fs: reduce(lambda f, g: lambda *a: g(f(*a)), fs)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self._check(d_out, num_heads)
        linear = partial(nn.Linear, d_in, d_out, bias=qkv_bias)
        [setattr(self, n, linear()) for n in ("W_query", "W_key", "W_value")]
        self.out_proj = nn.Linear(d_out, d_out)
        self.split = lambda z: z.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
        self.merge = lambda z: z.transpose(-3, -2).flatten(-2)
        self.scale = lambda s: s * (d_out // num_heads) ** -0.5
        self.mask = lambda s: s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), float("-inf"))
        self.drop = lambda w: F.dropout(w, dropout, self.training)
        self.weights = compose(lambda q, k: q @ k.mT, self.scale, self.mask, partial(F.softmax, dim=-2), self.drop)  # <- softmax-wrong-axis
    @staticmethod
    def _check(d_out, num_heads):
        if divmod(d_out, num_heads)[1]: raise ValueError("d_out")
    def forward(self, x):
        q, k, v = map(self.split, map(lambda f: f(x), (self.W_query, self.W_key, self.W_value)))
        return compose(lambda w: w @ v, self.merge, self.out_proj)(self.weights(q, k))
