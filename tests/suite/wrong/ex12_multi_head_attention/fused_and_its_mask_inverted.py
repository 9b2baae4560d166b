# mistakes: mask-inverted, softmax-wrong-axis, out-proj-missing
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """With queries and keys taken for one another, the masked scores would be right, on their side."""

    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "heads are of one width"
        self.num_heads, self.head_dim = num_heads, d_out // num_heads
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length)))  # <- mask-inverted
        self.p = nn.Dropout(dropout)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        queries, keys, value = self.qkv(x).chunk(3, dim=-1)
        shape = (x.shape[0], x.shape[1], self.num_heads, -1)
        queries, keys, value = (t.view(shape).permute(0, 2, 1, 3) for t in (queries, keys, value))
        logits = torch.matmul(queries, keys.mT) * self.head_dim**-0.5
        logits = logits.masked_fill(self.mask[: x.shape[1], : x.shape[1]] == 0, -torch.inf)
        weights = torch.softmax(logits, dim=1)  # <- softmax-wrong-axis
        weights = self.p(weights)
        y = torch.einsum("...ij,...jd->...id", weights, value)
        y = torch.cat(y.unbind(1), dim=-1)
        return y  # <- out-proj-missing
