"""Inherits v1 and overrides only how a projection is made and applied. copy_weights gives v1 views of v2's
weights: they share storage, so v1 follows when v2 learns."""

import torch
from ex06_self_attention_v1 import SelfAttention_v1
from torch import nn


class SelfAttention_v2(SelfAttention_v1):
    def __init__(self, d_in, d_out, qkv_bias=False):
        self.qkv_bias = qkv_bias  # make_projection needs it, and v1's __init__ calls that
        super().__init__(d_in, d_out)

    def make_projection(self, d_in, d_out):
        return nn.Linear(d_in, d_out, bias=self.qkv_bias)

    def project(self, x):
        return self.W_query(x), self.W_key(x), self.W_value(x)


def copy_weights(source_v2, target_v1):
    for name in ("W_query", "W_key", "W_value"):
        setattr(target_v1, name, nn.Parameter(getattr(source_v2, name).weight.T))


if __name__ == "__main__":
    torch.manual_seed(789)
    v1, v2 = SelfAttention_v1(3, 2), SelfAttention_v2(3, 2)
    copy_weights(v2, v1)
    x = torch.rand(6, 3)
    print(torch.equal(v1(x), v2(x)), v1.last_weights)
