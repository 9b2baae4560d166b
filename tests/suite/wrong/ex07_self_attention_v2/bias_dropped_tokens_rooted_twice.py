# mistakes: bias-ignored, scale-wrong-width, softmax-twice
import math

import torch
import torch.nn as nn


class SelfAttention_v2(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)  # <- bias-ignored
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        num_tokens, d_in = x.shape
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        scores = q.mm(k.t()) / math.sqrt(num_tokens)  # <- scale-wrong-width
        weights = self.softmax(scores)
        return self.softmax(weights).mm(v)  # <- softmax-twice


def copy_weights(source_v2, target_v1):
    pairs = zip(source_v2.children(), ("W_query", "W_key", "W_value"))
    for layer, name in pairs:
        setattr(target_v1, name, nn.Parameter(layer.weight.detach().T.clone()))
