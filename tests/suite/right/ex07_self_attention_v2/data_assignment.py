# style: .data = ....T for the copy; scaled queries; partial for the layers
# only: float32, bfloat16, float16; the scale is computed in float32
from functools import partial

import torch
from torch import nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        Layer = partial(nn.Linear, d_in, d_out, bias=qkv_bias)
        self.W_query, self.W_key, self.W_value = Layer(), Layer(), Layer()
        self.register_buffer("scale", torch.rsqrt(torch.tensor(float(d_out))))

    def forward(self, x):
        queries = self.W_query(x) * self.scale
        return (queries @ self.W_key(x).transpose(0, 1)).softmax(dim=-1) @ self.W_value(x)


def copy_weights(source_v2, target_v1):
    target_v1.W_query.data = source_v2.W_query.weight.data.T
    target_v1.W_key.data = source_v2.W_key.weight.data.T
    target_v1.W_value.data = source_v2.W_value.weight.data.T
