# style: a dense layer as in Flax, with a kernel (in, out) that is drawn by hand
import math

import torch
from torch import nn


class Dense(nn.Module):
    def __init__(self, features_in, features_out, use_bias):
        super().__init__()
        self.kernel = nn.Parameter(torch.randn(features_in, features_out) / math.sqrt(features_in))
        self.offset = nn.Parameter(torch.zeros(features_out)) if use_bias else None

    def forward(self, inputs):
        outputs = torch.einsum("bti,io->bto", inputs, self.kernel)
        return outputs if self.offset is None else outputs + self.offset


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.query, self.key, self.value = (Dense(d_in, d_out, qkv_bias) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        queries, keys, values = self.query(x), self.key(x), self.value(x)
        logits = torch.einsum("bqd,bkd->bqk", queries, keys) / math.sqrt(keys.size(-1))
        position = torch.arange(x.size(1), device=x.device)
        logits = torch.where(position[:, None] >= position, logits, torch.finfo(logits.dtype).min)
        return torch.einsum("bqk,bkd->bqd", self.dropout(logits.softmax(-1)), values)
