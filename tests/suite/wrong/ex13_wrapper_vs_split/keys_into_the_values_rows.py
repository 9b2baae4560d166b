# mistakes: projection-reused
import math
import torch
from torch import nn
import torch.nn.functional as F


class SplitHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.h = num_heads
        self.d_head = d_out
        self.W_query = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, num_heads * d_out, bias=qkv_bias)
        self.p = dropout

    def forward(self, x):
        B, T, C = x.size()
        q = self.W_query(x).reshape(B, T, self.h, self.d_head).permute(0, 2, 1, 3)
        k = self.W_key(x).reshape(B, T, self.h, self.d_head).permute(0, 2, 1, 3)
        v = self.W_value(x).reshape(B, T, self.h, self.d_head).permute(0, 2, 1, 3)
        att = torch.einsum("bhid,bhjd->bhij", q, k)
        att = att / math.sqrt(self.d_head)
        keep = torch.tril(torch.ones(T, T, device=x.device))
        att = att.masked_fill(keep == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = F.dropout(att, p=self.p, training=self.training)
        y = torch.einsum("bhij,bhjd->bhid", att, v)
        y = y.permute(0, 2, 1, 3)
        y = y.reshape(B, T, self.h * self.d_head)
        return y


@torch.no_grad()
def copy_heads(wrapper, split):
    d = wrapper.heads[0].W_query.weight.shape[0]
    for i, head in enumerate(wrapper.heads):
        rows = slice(i * d, (i + 1) * d)
        split.W_query.weight[rows] = head.W_query.weight
        split.W_key.weight[rows] = head.W_key.weight
        split.W_value.weight[rows] = head.W_key.weight  # <- projection-reused
        if head.W_query.bias is not None:
            split.W_query.bias[rows] = head.W_query.bias
            split.W_key.bias[rows] = head.W_key.bias
            split.W_value.bias[rows] = head.W_value.bias
    proj = getattr(split, "out_proj", None)
    if proj is not None:
        nn.init.eye_(proj.weight)
        nn.init.zeros_(proj.bias)
