# mistakes: mask-diagonal
import torch
from torch import nn


class CausalAttention(nn.Module):
    """Causal attention.

    Long docstring: keys, queries, values.
    """

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.qkv_proj = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.drop = nn.Dropout(p=dropout)
        i = torch.arange(context_length)
        self.register_buffer("future", i.view(1, -1) >= i.view(-1, 1), persistent=False)  # <- mask-diagonal

    def __call__(self, *args, **kwargs):
        result = super().__call__(*args, **kwargs)
        assert result.ndim == 3
        return result

    def forward(self, x):
        q, k, v = self.qkv_proj(x).chunk(3, dim=-1)
        n = x.size(-2)
        s = q.matmul(k.movedim(-1, -2)).div_(k.size(-1) ** 0.5)
        s.masked_fill_(self.future[:n, :n], -1e9)
        return self.drop(torch.softmax(s, dim=-1)).matmul(v)
