# style: a class for a projection, made in a function, whose weight is (in, out)
import torch
from torch import nn


def projection(d_in, d_out):
    class Projection(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.rand(d_in, d_out))

        def forward(self, tokens):
            return tokens @ self.weight

    return Projection()


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (projection(d_in, d_out) for _ in range(3))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return (queries @ keys.mT / keys.size(-1) ** 0.5).softmax(-1) @ values
