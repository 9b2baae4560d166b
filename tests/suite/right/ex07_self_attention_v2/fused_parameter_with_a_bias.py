# style: one matrix and one bias for all three, both bare parameters
import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_qkv = nn.Parameter(torch.randn(d_in, 3 * d_out) / d_in**0.5)
        self.b_qkv = nn.Parameter(torch.zeros(3 * d_out)) if qkv_bias else None

    def forward(self, x):
        joined = x @ self.W_qkv
        if self.b_qkv is not None:
            joined = joined + self.b_qkv
        queries, keys, values = joined.chunk(3, dim=-1)
        return (queries @ keys.mT / keys.size(-1) ** 0.5).softmax(-1) @ values


@torch.no_grad()
def copy_weights(source_v2, target_v1):
    targets = (target_v1.W_query, target_v1.W_key, target_v1.W_value)
    for target, part in zip(targets, source_v2.W_qkv.chunk(3, dim=1)):
        target.copy_(part)
