"""Inherits v2's layers and adds the batch, the mask and the dropout, which is our own ex09's function and no
nn.Dropout. The mask is a buffer that is not saved; the last weights are kept to look at."""

import torch
from ex07_self_attention_v2 import SelfAttention_v2

from exercises.ex08_causal_mask import causal_mask
from exercises.ex09_attention_dropout import dropout_weights


class CausalAttention(SelfAttention_v2):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.p = dropout
        self.register_buffer("mask", causal_mask(context_length), persistent=False)

    def forward(self, x):
        queries, keys, values = self.project(x)
        T = x.shape[-2]
        scores = queries @ keys.transpose(-1, -2)
        scores = scores.masked_fill(self.mask[:T, :T], -torch.inf)
        weights = torch.softmax(scores / self.d_out**0.5, dim=-1)
        self.last_weights = weights.detach()
        return dropout_weights(weights, self.p, self.training) @ values


torch.manual_seed(123)
demo = CausalAttention(3, 2, context_length=6, dropout=0.5)
print("causal attention:", demo(torch.rand(2, 6, 3)).shape)
