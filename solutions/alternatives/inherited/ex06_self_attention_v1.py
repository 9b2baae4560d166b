"""A base class that later exercises inherit from: how a projection is made and applied are methods to
override. The weights are set in a loop by name, values first; the last attention weights are kept to look
at."""

import torch
from torch import nn

from exercises.ex05_scaled_scores import scaled_scores


class SelfAttention_v1(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in = d_in
        self.d_out = d_out
        self.last_weights = None
        for name in ("W_value", "W_key", "W_query"):
            setattr(self, name, self.make_projection(d_in, d_out))

    def make_projection(self, d_in, d_out):
        return nn.Parameter(torch.rand(d_in, d_out))

    def project(self, x):
        return x @ self.W_query, x @ self.W_key, x @ self.W_value

    def forward(self, x):
        queries, keys, values = self.project(x)
        self.last_weights = torch.softmax(scaled_scores(queries, keys), dim=-1)
        return self.last_weights @ values


torch.manual_seed(123)
print("v1:", SelfAttention_v1(3, 2)(torch.ones(4, 3)))
